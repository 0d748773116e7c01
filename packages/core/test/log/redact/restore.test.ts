import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createRedactor,
  type FoundSecret,
  type NamedSecret,
} from '../../../src/log/redact/redactor.ts';
import { restoreText, restoreValue } from '../../../src/log/redact/restore.ts';
import { createFill, plant, SECRET_KINDS } from './secret-kinds.ts';

/** A redactor with everything it reports kept, as a vault would. */
function withVault() {
  const values = new Map<string, string>();
  const named: NamedSecret[] = [];
  const found: FoundSecret[] = [];
  const redactor = createRedactor({
    salt: 'pepper',
    onSecret(secret) {
      found.push(secret);
      values.set(secret.id, secret.value);
    },
    onNamedSecret: (secret) => named.push(secret),
  });
  return { redactor, found, named, lookup: (id: string) => values.get(id) };
}

describe('placeholders', () => {
  it('carry the kind and an id, the same for the same value', () => {
    const { redactor, found } = withVault();
    const key = `sk-ant-${'a1B2'.repeat(12)}`;

    const clean = redactor.redactText(`${key} and PASSWORD=hunter2 and ${key}`);

    expect(clean).toMatch(
      /^\[REDACTED:api-key:(\w{10})\] and PASSWORD=\[REDACTED:value:\w{10}\] and \[REDACTED:api-key:\1\]$/,
    );
    expect(found.map(({ kind, value }) => [kind, value])).toEqual([
      ['api-key', key],
      ['value', 'hunter2'],
      ['api-key', key],
    ]);
  });

  it('differ between sessions', () => {
    const text = 'PASSWORD=hunter2';

    expect(createRedactor({ salt: 'a' }).redactText(text)).not.toBe(
      createRedactor({ salt: 'b' }).redactText(text),
    );
  });
});

it('redacts nothing twice', () => {
  for (const [kind, shape] of Object.entries(SECRET_KINDS)) {
    for (let seed = 1; seed <= 20; seed++) {
      const { redactor } = withVault();
      const once = redactor.redactText(plant(shape, createFill(seed)).text);

      expect([kind, redactor.redactText(once)]).toEqual([kind, once]);
    }
  }
});

describe('restoring', () => {
  it.each(Object.keys(SECRET_KINDS))('gives back a text with a secret of the kind %s', (kind) => {
    const { redactor, lookup } = withVault();
    const { text } = plant(SECRET_KINDS[kind] ?? '', createFill(17));
    const whole = JSON.stringify({ a: `x\n${text}\ny`, b: JSON.stringify([text]) });

    expect(restoreText(redactor.redactText(whole), lookup)).toBe(whole);
  });

  it('gives back a secret that was longer than one placeholder may hold', () => {
    const { redactor, found, lookup } = withVault();
    const text = `{"password":"${createFill(3)(10_000)}"}`;

    expect(restoreText(redactor.redactText(text), lookup)).toBe(text);
    expect(found).toHaveLength(3);
  });

  it('leaves a placeholder whose value is not known', () => {
    const text = 'see [REDACTED:api-key:abcdefghij] and [REDACTED]';

    expect(restoreText(text, () => undefined)).toBe(text);
  });

  it('gives back values of secret names by their path', () => {
    const { redactor, named, lookup } = withVault();
    const value = {
      messages: [{ toolCalls: [{ args: { password: 'x', tokens: ['a', 'b'], pwd: 7 } }] }],
      headers: [['authorization', 'y']],
      text: 'PASSWORD=hunter2',
    };

    const clean = redactor.redactValue(value);

    expect(JSON.stringify(clean)).not.toMatch(/hunter2|"[xyab]"/);
    expect(named[0]).toEqual({
      path: ['messages', 0, 'toolCalls', 0, 'args', 'password'],
      value: 'x',
    });
    expect(restoreValue(clean, { lookup, named })).toEqual(value);
  });

  it('keeps values of secret names as JSON can say them', () => {
    const { redactor, named } = withVault();
    const auth: { user: string; big: bigint; at: Date; self?: unknown } = {
      user: 'u',
      big: 5n,
      at: new Date(0),
    };
    auth.self = auth;

    redactor.redactValue({ auth });

    expect(JSON.parse(JSON.stringify(named))).toEqual([
      {
        path: ['auth'],
        value: { user: 'u', big: '5', at: '1970-01-01T00:00:00.000Z', self: '[Circular]' },
      },
    ]);
  });

  it('leaves a value alone that has changed since', () => {
    const named = [{ path: ['a', 'password'], value: 'x' }];
    const value = { a: 'else' };

    expect(restoreValue(value, { lookup: () => undefined, named })).toBe(value);
  });

  it('gives back any JSON value', () => {
    const word = fc.oneof(
      fc.constantFrom(
        'password',
        'token',
        'TOKEN=abcd1234',
        'id',
        `sk-${'a1B2'.repeat(9)}`,
        'name',
      ),
      fc.string(),
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        word,
        fc.integer(),
        fc.array(tie('tree')),
        fc.dictionary(word, tie('tree')),
      ),
    }));
    fc.assert(
      fc.property(tree, (value) => {
        const { redactor, named, lookup } = withVault();
        const clean: unknown = JSON.parse(JSON.stringify(redactor.redactValue(value)));

        expect(restoreValue(clean, { lookup, named })).toEqual(value);
      }),
    );
  });
});
