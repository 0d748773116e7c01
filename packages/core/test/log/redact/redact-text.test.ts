import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/log/redact/redactor.ts';

const { redactText } = createRedactor();
const long = 'a1B2'.repeat(12);

describe('secret-shaped text', () => {
  it.each([
    ['api-key', `sk-ant-api03-${long}`],
    ['api-key', `sk-proj-${long}`],
    ['api-key', `sk_live_${long}`],
    ['api-key', `AIza${long.slice(0, 35)}`],
    ['github-token', `ghp_${long}`],
    ['github-token', `github_pat_${long}`],
    ['gitlab-token', `glpat-${long}`],
    ['npm-token', `npm_${long.slice(0, 36)}`],
    ['huggingface-token', `hf_${long}`],
    ['slack-token', 'xoxb-123456789012-abcdefGHIJKL'],
    ['aws-key', 'AKIAIOSFODNN7EXAMPLE'],
    ['jwt', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.dGhpc2lzYXNpZw'],
  ])('becomes [REDACTED:%s]', (kind, secret) => {
    expect(redactText(`before ${secret} after`)).toBe(`before [REDACTED:${kind}] after`);
    expect(redactText(`"${secret}".`)).toBe(`"[REDACTED:${kind}]".`);
    expect(redactText(`It is ${secret}.`)).toBe(`It is [REDACTED:${kind}].`);
  });

  it('hides private keys, also unfinished ones', () => {
    const begin = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc';

    expect(redactText(`x ${begin}\n-----END OPENSSH PRIVATE KEY----- y`)).toBe(
      'x [REDACTED:private-key] y',
    );
    expect(redactText(`x ${begin}`)).toBe('x [REDACTED:private-key]');
  });

  it('hides no more than the key when its end was cut off', () => {
    const key = `-----BEGIN RSA PRIVATE KEY-----\n${long}\n${long}\n`;

    expect(redactText(`${key}[output was cut off] and more words follow`)).toBe(
      '[REDACTED:private-key][output was cut off] and more words follow',
    );
  });

  it('hides the password of a connection string and keeps the rest', () => {
    expect(redactText('postgres://app:s3cr3t@db.example.com:5432/main')).toBe(
      'postgres://app:[REDACTED:password]@db.example.com:5432/main',
    );
  });

  it('hides bearer headers', () => {
    expect(redactText('curl -H "Authorization: Bearer abc123def456ghi"')).toBe(
      'curl -H "Authorization: Bearer [REDACTED:bearer]"',
    );
  });

  it('hides secret-named values inside JSON text, such as tool arguments', () => {
    expect(redactText('{"password":"hunter2","user":"me"}')).toBe(
      '{"password":"[REDACTED]","user":"me"}',
    );
    expect(redactText('"{\\"apiKey\\": \\"abcdef\\"}"')).toBe('"{\\"apiKey\\": \\"[REDACTED]\\"}"');
    expect(redactText('{"password":"correct horse battery staple"}')).toBe(
      '{"password":"[REDACTED]"}',
    );
  });

  it('finds the end of a quoted value with quotes and backslashes in it', () => {
    for (const password of ['a"b1', 'a\\', 'a\\"b', '\\\\', 'a\nb1', "it's 1"]) {
      let text = JSON.stringify({ password, user: 'me' });
      let clean = '{"password":"[REDACTED]","user":"me"}';
      for (let depth = 0; depth < 3; depth++) {
        expect(redactText(text)).toBe(clean);
        text = JSON.stringify(text);
        clean = JSON.stringify(clean);
      }
    }
  });

  it('hides what environment files assign', () => {
    expect(redactText('DB_PASSWORD=hunter2 PORT=80')).toBe('DB_PASSWORD=[REDACTED] PORT=80');
    expect(redactText('A_TOKEN=ab!(cd),1\nB=2')).toBe('A_TOKEN=[REDACTED]\nB=2');
  });

  it.each([
    ['"password":"example1pass"', '"password":"[REDACTED]"'],
    ['"password":"$ecret123"', '"password":"[REDACTED]"'],
    ['"password":"osprey99"', '"password":"[REDACTED]"'],
    ['mysql://example:realpass9@h/', 'mysql://example:[REDACTED:password]@h/'],
    ['API_KEY=your1Key2Is3Real4', 'API_KEY=[REDACTED]'],
  ])('is not taken for an example: %s', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  it.each([
    ['sk-ant-api03-', 'xsk[REDACTED:api-key] y'],
    ['sk-proj-', 'xsk[REDACTED:api-key] y'],
    ['sk-or-v1-', 'xsk[REDACTED:api-key] y'],
    ['sk-svcacct-', 'xsk[REDACTED:api-key] y'],
    ['sk_live_', 'xsk[REDACTED:api-key] y'],
    ['github_pat_', 'xgithub[REDACTED:github-token] y'],
    ['xoxb-', 'xxo[REDACTED:slack-token] y'],
  ])('hides a key that is glued to a word: %s', (begins, clean) => {
    expect(redactText(`x${begins}${long} y`)).toBe(clean);
    expect(redactText(`1${begins}${long} y`)).toBe(clean.replace('x', '1'));
  });

  it.each(['sk-ant-', 'ghp_', 'gsk_', 'glpat-', 'npm_', 'AIza'])(
    'hides a key behind what is no word: %s',
    (begins) => {
      for (const before of ['\\n', '%3D', '\\u0022', '\u001b[31m', '^[[31m', '密钥']) {
        expect(redactText(`${before}${begins}${long}`)).not.toContain(long);
      }
    },
  );

  it.each(['sk-ant-', 'ghp_', 'gsk_', 'glpat-', 'npm_'])('hides a key behind a _: %s', (begins) => {
    expect(redactText(`MY_KEY_${begins}${long}`)).toMatch(/^MY_KEY_\[REDACTED:[a-z-]+\]$/);
  });

  it('keeps text that was redacted before', () => {
    const once = createRedactor({ salt: 's' }).redactText(`k=sk-${long} PASSWORD=hunter2`);

    expect(redactText(once)).toBe(once);
    expect(createRedactor({ salt: 't' }).redactText(once)).toBe(once);
  });

  it('returns the very text when nothing is in it', () => {
    expect(redactText('')).toBe('');
    expect(redactText('nothing here: at all')).toBe('nothing here: at all');
  });
});

describe('ordinary text stays as it is', () => {
  it.each([
    'The basic functionality of tokens is explained at https://example.com/a:b',
    'const password = readLine(); // sk-1',
    'task-list and risk-free are ordinary words',
    'task-ant-colony-optimisation-of-many-routes disk-or-v1-of-the-layout-of-many-disks',
    'task-7f3a9c2e1b4d5f608192a3b4c5d6e7f8 disk-or-1f2e3d4c5b6a79880716253443526170',
    'export TOKEN=$(cat file)',
    `export API_KEY=$${'{OTHER_KEY}'} PASSWORD=$PASSWORD`,
    'const token = await getToken(user);',
    'API_KEY=your-api-key TOKEN=<your token here> "secret": "********" PASSWORD=xxxxxxxx',
    'this.password = options.password;',
    'token: process.env.GITHUB_TOKEN',
    "password: 'string'",
    'max_tokens: 4096, "tokens": 12, totalTokens=100, "input_tokens":"1,024"',
    'class="sk-folding-cube sk-circle-fade-dot"',
    'napi_get_value_bigint_int64(env, value, &result, &lossless)',
    'if (token === "abc123def456") return;',
    'PWD=/home/user/project OLDPWD=/tmp/work1',
    "throw new Error('password: ' + name + ' is wrong1');",
    "headers.includes('-----BEGIN PRIVATE KEY-----')",
    'The header -----BEGIN PRIVATE KEY----- begins a key and this is prose about it.',
    'docker run -u 1000:1000 --user 1000:10000 image',
    'npm_config_registry and npm_package_name are variables of npm',
    'git log --author me --token-file ./x',
    'see https://github.com/user/repo@v1.2.3 and user@example.com',
    '{"password": "Enter your password"}',
    '<input type="password" name="token">',
    'monkey: banana2banana4 turkey=1a2b3c4d5e',
    'author: someone1234abcd',
    'sha512-Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy==',
  ])('%s', (text) => {
    expect(redactText(text)).toBe(text);
  });
});

it('takes a key behind a key that was cut off for a key of its own', () => {
  const line = 'AbC9'.repeat(16);
  const cut = `-----BEGIN EC PRIVATE KEY-----\n${line}\n${line.slice(0, 40)}`;
  const whole = `-----BEGIN RSA PRIVATE KEY-----\n${line}\n${line.slice(0, 32)}\n-----END RSA PRIVATE KEY-----`;

  const clean = createRedactor().redactText(`${cut}\n${whole}\nafter`);

  expect(clean).toBe('[REDACTED:private-key][REDACTED:private-key]\nafter');
});

describe('a long text that is written again', () => {
  const clean = 'Use the tools and answer in short sentences. '.repeat(20);
  const secret = `${clean} sk-ant-${'a1B2'.repeat(8)}`;

  it('stays as it is, however many others are written between', () => {
    const redactor = createRedactor();
    const texts = Array.from({ length: 20 }, (_, index) => `${clean} ${index}`);

    const written = [...texts, ...texts].map((text) => redactor.redactText(text));

    expect(written).toEqual([...texts, ...texts]);
  });

  it('is redacted and reported every time it has a secret', () => {
    const reported: string[] = [];
    const redactor = createRedactor({ salt: 's', onSecret: ({ kind }) => reported.push(kind) });

    const written = [clean, secret, clean, secret].map((text) => redactor.redactText(text));

    expect(written[1]).toBe(written[3]);
    expect(written[3]).toMatch(/\[REDACTED:api-key:[a-z0-9]{10}\]$/);
    expect(reported).toEqual(['api-key', 'api-key']);
  });
});
