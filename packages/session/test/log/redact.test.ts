import { redact, redactText } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';

describe('secret-named keys', () => {
  it.each([
    'apiKey',
    'api_key',
    'authorization',
    'Authorization',
    'accessToken',
    'refreshToken',
    'secret',
    'password',
    'xApiKey',
    'x-api-key',
    'openai_api_key',
    'OPENAI_API_KEY',
    'client_secret',
    'clientSecret',
    'token',
    'authToken',
    'privateKey',
    'db_password',
  ])('hides the value of %s at any depth', (key) => {
    const value = { list: [{ [key]: 'hunter2', name: 'kept' }] };

    expect(redact(value)).toEqual({ list: [{ [key]: '[REDACTED]', name: 'kept' }] });
  });

  it('hides numbers and objects too', () => {
    expect(redact({ password: 1234, credentials: { user: 'a' } })).toEqual({
      password: '[REDACTED]',
      credentials: '[REDACTED]',
    });
  });

  it('keeps counts of tokens, empty values and flags', () => {
    const value = {
      inputTokens: 5,
      maxTokens: 9,
      tokens: [1],
      password: '',
      secret: null,
      token: false,
    };

    expect(redact(value)).toBe(value);
  });

  it('can use another mark', () => {
    expect(redact({ apiKey: 'x' }, '***')).toEqual({ apiKey: '***' });
  });
});

describe('secret-shaped text', () => {
  const long = 'a1B2'.repeat(12);

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
  });

  it('hides private keys, also unfinished ones', () => {
    const begin = '-----BEGIN OPENSSH PRIVATE KEY-----\nabc';

    expect(redactText(`x ${begin}\n-----END OPENSSH PRIVATE KEY----- y`)).toBe(
      'x [REDACTED:private-key] y',
    );
    expect(redactText(`x ${begin}`)).toBe('x [REDACTED:private-key]');
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
  });

  it('hides what environment files assign', () => {
    expect(redactText('DB_PASSWORD=hunter2 PORT=80')).toBe('DB_PASSWORD=[REDACTED] PORT=80');
  });

  it.each([
    'The basic functionality of tokens is explained at https://example.com/a:b',
    'const password = readLine(); // sk-1',
    'task-list and risk-free are ordinary words',
    'export TOKEN=$(cat file)',
  ])('leaves ordinary text alone: %s', (text) => {
    expect(redactText(text)).toBe(text);
  });

  // Work that grew with the square of the length would outlast the time a test has.
  it('ends on a long text that looks like the beginning of secrets all over', () => {
    const text = `${'a://'.repeat(50_000)}${'"key":'.repeat(50_000)}${'Bearer '.repeat(50_000)}`;

    expect(redactText(text)).toContain('a://a://');
  });
});

it('never touches ids, signatures and encrypted reasoning', () => {
  const opaque = `sk-ant-${'a'.repeat(40)}`;
  const value = {
    id: opaque,
    toolCallId: opaque,
    vendor: { data: { signature: opaque, thoughtSignature: opaque, encrypted_content: opaque } },
  };

  expect(redact(value)).toBe(value);
});

it('returns what holds no secret as it was, Dates included', () => {
  const value = { at: new Date(), list: ['a', { deep: 'text' }] };

  expect(redact(value)).toBe(value);
});
