import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markOwnWords } from '../../../src/log/redact/redact-value.ts';
import { createRedactor } from '../../../src/log/redact/redactor.ts';

const { redactValue } = createRedactor();
const key = `sk-ant-${'a1B2'.repeat(12)}`;

describe('secret-named keys', () => {
  it.each([
    ...['apiKey', 'api_key', 'authorization', 'Authorization', 'accessToken', 'refreshToken'],
    ...['secret', 'password', 'xApiKey', 'x-api-key', 'openai_api_key', 'OPENAI_API_KEY'],
    ...['client_secret', 'clientSecret', 'token', 'authToken', 'privateKey', 'db_password'],
    ...['cookie', 'set-cookie', 'Set-Cookie', 'auth', 'pwd', 'tokens', 'secrets', 'passwords'],
    ...['apiKeys', 'cookies', 'AWS_ACCESS_KEY_ID', 'private_key_id', 'X-Auth-Key', 'passphrase'],
    ...['_authToken', 'proxy-authorization', 'Ocp-Apim-Subscription-Key', 'client-key-data'],
  ])('hide their value at any depth: %s', (name) => {
    const value = { list: [{ [name]: 'hunter2', name: 'kept' }] };

    expect(redactValue(value)).toEqual({ list: [{ [name]: '[REDACTED]', name: 'kept' }] });
    expect(value.list[0]?.[name]).toBe('hunter2');
  });

  it('are not looked for in what the authors of the program wrote themselves', () => {
    const own = markOwnWords({ name: 'Login', password: 'the word you were given' });

    expect(redactValue([own, { ...own }])).toEqual([
      own,
      { name: 'Login', password: '[REDACTED]' },
    ]);
  });

  it('cannot be put into what the authors wrote afterwards', () => {
    const own = markOwnWords({
      name: 'Login',
      parameters: { properties: { a: { type: 'string' } } },
    });

    expect(() => Object.assign(own, { description: key })).toThrow(TypeError);
    expect(() => Object.assign(own.parameters.properties, { b: { default: key } })).toThrow(
      TypeError,
    );
    expect(JSON.stringify(redactValue([own]))).not.toContain(key);
  });

  it('hide numbers and objects too', () => {
    expect(redactValue({ password: 1234, pwd: 12n, credentials: { user: 'a' } })).toEqual({
      password: '[REDACTED]',
      pwd: '[REDACTED]',
      credentials: '[REDACTED]',
    });
  });

  it('keep counts of tokens, empty values and flags', () => {
    const value = {
      ...{ inputTokens: 5, maxTokens: 9, max_token: 10, tokens: [1], password: '', secret: null },
      ...{
        token: false,
        cookies: 3,
        usage: { tokens: { input: 1, output: 2 } },
        total_tokens: '7',
      },
      ...{ PWD: '/home/user', OLDPWD: '/', tokenType: 'Bearer', author: 'me', bypass: 'no' },
    };

    expect(redactValue(value)).toBe(value);
  });

  it('in the plural hide the strings below them and keep the numbers', () => {
    expect(
      redactValue({ tokens: ['a', { value: 'b', uses: 3 }], cookies: [{ name: 'c' }] }),
    ).toEqual({
      tokens: ['[REDACTED]', { value: '[REDACTED]', uses: 3 }],
      cookies: [{ name: '[REDACTED]' }],
    });
  });

  it('say nothing secret in the schema of a parameter', () => {
    const schema = { properties: { token: { type: 'string', description: 'The token.' } } };

    expect(redactValue(schema)).toBe(schema);
  });

  it('leave what was hidden before as it is', () => {
    const { redactValue: withIds } = createRedactor({ salt: 's' });
    const once = withIds({ password: 'x', tokens: ['y'], pair: ['token', 'z'], text: key });

    expect(withIds(once)).toBe(once);
    expect(redactValue(once)).toBe(once);
  });

  it('can use another mark', () => {
    expect(createRedactor({ mark: '***' }).redactValue({ apiKey: 'x' })).toEqual({ apiKey: '***' });
  });
});

describe('names beside their values', () => {
  it.each([
    [[['authorization', 'x']], [['authorization', '[REDACTED]']]],
    [new Headers({ 'x-api-key': 'x', accept: 'y' }), pairs(['accept', 'y'], 'x-api-key')],
    [new Map([['token', 'x']]), [['token', '[REDACTED]']]],
    [new Map([['n', { secret: 'x' }]]), [['n', { secret: '[REDACTED]' }]]],
    [new Set(['a', key]), ['a', '[REDACTED:api-key]']],
    [
      { rawHeaders: ['Host', 'h', 'Cookie', 'c', 'X-Token', 'x'] },
      { rawHeaders: ['Host', 'h', 'Cookie', '[REDACTED]', 'X-Token', '[REDACTED]'] },
    ],
    [
      { args: ['serve', '--api-key', 'x', '--port', '80'] },
      { args: ['serve', '--api-key', '[REDACTED]', '--port', '80'] },
    ],
    [
      {
        env: [
          { name: 'DB_PASSWORD', value: 'x' },
          { key: 'PORT', value: '80' },
        ],
      },
      {
        env: [
          { name: 'DB_PASSWORD', value: '[REDACTED]' },
          { key: 'PORT', value: '80' },
        ],
      },
    ],
  ])('are hidden in %o', (value, expected) => {
    expect(redactValue<unknown>(value)).toEqual(expected);
  });

  it('are not seen in a list of two names', () => {
    const names = ['password', 'token'];

    expect(redactValue(names)).toBe(names);
  });
});

function pairs(kept: readonly [string, string], hidden: string): readonly (readonly string[])[] {
  return [kept, [hidden, '[REDACTED]']];
}

describe('what others need byte for byte', () => {
  it('is not touched: ids, signatures, encrypted reasoning, images', () => {
    const value = {
      id: key,
      toolCallId: key,
      tool_use_id: key,
      vendor: { data: { signature: key, thoughtSignature: key, encrypted_content: key } },
      content: [
        { type: 'redacted_thinking', data: key },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: key } },
      ],
    };

    expect(redactValue(value)).toBe(value);
  });
});

describe('any value', () => {
  it('is returned as it was when nothing is in it, Dates included', () => {
    const value = { at: new Date(), list: ['a', { deep: 'text' }], bytes: new Uint8Array(3) };

    expect(redactValue(value)).toBe(value);
  });

  it('shares with the result what holds no secret', () => {
    const value = { kept: { a: ['b'] }, changed: { text: `x ${key}` } };

    const clean = redactValue(value);

    expect(clean).toEqual({ kept: { a: ['b'] }, changed: { text: 'x [REDACTED:api-key]' } });
    expect(clean.kept).toBe(value.kept);
  });

  it('may contain itself', () => {
    const value: { text: string; self?: unknown; list?: unknown } = { text: key };
    value.self = value;
    value.list = [value, { up: value }];

    expect(redactValue<unknown>(value)).toEqual({
      text: '[REDACTED:api-key]',
      self: '[Circular]',
      list: ['[Circular]', { up: '[Circular]' }],
    });
  });

  it('may be a graph with more ways through it than anybody can walk', () => {
    const nodes = Array.from({ length: 60 }, () => ({ next: [] as unknown[], text: key }));
    for (const node of nodes) node.next.push(...nodes);

    const json = JSON.stringify(redactValue(nodes[0]));

    expect(json).toContain('[Repeated]');
    expect(json).not.toContain(key);
  });

  it('may be deeper than anybody can walk', () => {
    let value: unknown = key;
    for (let depth = 0; depth < 100_000; depth++) value = [value];

    expect(JSON.stringify(redactValue(value))).toContain('[Too deep]');
  });

  it('is asked for its JSON first', () => {
    const answer = { toJSON: () => ({ password: 'x', text: key }) };
    const own = { plain: 1, toJSON: () => own };

    expect(redactValue<unknown>({ answer, link: new URL('https://u:pw@h/') })).toEqual({
      answer: { password: '[REDACTED]', text: '[REDACTED:api-key]' },
      link: 'https://u:[REDACTED:password]@h/',
    });
    expect(redactValue<unknown>(own)).toBe(own);
  });

  it('may fail to be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const value = {
      a: {
        get broken(): string {
          throw new Error('no');
        },
      },
      b: proxy,
      c: {
        toJSON() {
          throw new Error('no');
        },
      },
      text: key,
    };

    expect(redactValue<unknown>(value)).toEqual({
      a: '[Unreadable]',
      b: '[Unreadable]',
      c: '[Unreadable]',
      text: '[REDACTED:api-key]',
    });
  });

  it('may hold what JSON does not know', () => {
    const symbol = Symbol('s');

    expect(redactValue<unknown>({ big: 5n, none: undefined, symbol, fn: Math.max })).toEqual({
      big: '5',
      none: undefined,
      symbol,
      fn: Math.max,
    });
  });

  it('may have a key that is called like the prototype', () => {
    const value: unknown = JSON.parse(`{"__proto__":{"password":"x"},"a":"${key}"}`);

    expect(JSON.stringify(redactValue(value))).toBe(
      '{"__proto__":{"password":"[REDACTED]"},"a":"[REDACTED:api-key]"}',
    );
  });

  it('never throws and is never changed', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withDate: true }),
        (value) => {
          const before = fc.stringify(value);

          redactValue(value);

          expect(fc.stringify(value)).toBe(before);
        },
      ),
    );
  });
});

it('lets an error of the listener through', () => {
  const redactor = createRedactor({
    salt: 's',
    onSecret() {
      throw new Error('The disk is full.');
    },
  });

  expect(() => redactor.redactValue({ text: key })).toThrow('The disk is full.');
});
