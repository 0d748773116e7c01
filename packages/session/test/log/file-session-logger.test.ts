import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { SessionLogEntry } from '@robota-sdk/agent-core';
import { FileSessionLogger, loadSessionLogEntries } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../session-kit.ts';

function rawLines(directory: string, id = 's1'): Record<string, unknown>[] {
  return readFileSync(join(directory, `${id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function load(directory: string): SessionLogEntry[] {
  return loadSessionLogEntries(join(directory, 's1.jsonl'));
}

describe('lines', () => {
  it('writes one JSON line an event, readable at once', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);

    logger.log('s1', 'first', { number: 1 });
    logger.log('s1', 'second', {});

    expect(rawLines(directory)).toEqual([
      {
        timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
        sessionId: 's1',
        event: 'first',
        number: 1,
      },
      { timestamp: expect.any(String), sessionId: 's1', event: 'second' },
    ]);
  });

  it('keeps the logs of several sessions apart', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);

    logger.log('s1', 'mine', {});
    logger.log('s2', 'yours', {});

    expect(rawLines(directory, 's2')).toMatchObject([{ event: 'yours' }]);
  });

  it('lets only its owner read the log', () => {
    const directory = join(temporaryDirectory(), 'logs');
    new FileSessionLogger(directory).log('s1', 'event', {});

    expect(statSync(join(directory, 's1.jsonl')).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
  });

  it('starts on a fresh line after a line that was torn by a crash', () => {
    const directory = temporaryDirectory();
    new FileSessionLogger(directory).log('s1', 'before', {});
    appendFileSync(join(directory, 's1.jsonl'), '{"event":"to');

    new FileSessionLogger(directory).log('s1', 'after', {});

    expect(load(directory).map(({ event }) => event)).toEqual(['before', 'after']);
  });

  it('reads lines that hold other line separators', () => {
    const directory = temporaryDirectory();
    const text = 'one\u2028two\u2029three\u0085four\r\nfive';
    new FileSessionLogger(directory).log('s1', 'text', { text });

    expect(load(directory)).toMatchObject([{ text }]);
  });
});

describe('failures', () => {
  it('never throws and reports the first failure once', () => {
    const directory = join(temporaryDirectory(), 'file');
    writeFileSync(directory, 'not a directory');
    const errors: unknown[] = [];

    const logger = new FileSessionLogger(directory, { onError: (error) => errors.push(error) });
    logger.log('s1', 'event', {});
    logger.log('s1', 'event', {});

    expect(errors).toHaveLength(1);
    expect(logger.isSaving()).toBe(false);
  });

  it('never throws for an id that is no file name', () => {
    const directory = temporaryDirectory();
    const errors: unknown[] = [];

    new FileSessionLogger(join(directory, 'logs'), { onError: (error) => errors.push(error) }).log(
      '../evil',
      'event',
      {},
    );

    expect(errors).toMatchObject([{ code: 'invalid_session_id' }]);
    expect(existsSync(join(directory, 'evil.jsonl'))).toBe(false);
  });

  it('never throws for a value that is no JSON, and goes on', () => {
    const directory = temporaryDirectory();
    const cycle: { self?: object } = {};
    cycle.self = cycle;
    const logger = new FileSessionLogger(directory);

    logger.log('s1', 'bad', { cycle });
    logger.log('s1', 'good', {});

    expect(load(directory).map(({ event }) => event)).toContain('good');
  });

  it('survives a full disk and keeps what was written before', () => {
    const directory = temporaryDirectory();
    const errors: unknown[] = [];
    const logger = new FileSessionLogger(directory, { onError: (error) => errors.push(error) });
    // Every write to this device fails as on a full disk.
    symlinkSync('/dev/full', join(directory, 's2.jsonl'));
    logger.log('s1', 'kept', {});

    logger.log('s2', 'lost', {});

    expect(errors).toHaveLength(1);
    expect(logger.isSaving()).toBe(false);
    expect(load(directory)).toMatchObject([{ event: 'kept' }]);
  });
});

it('may be closed while a sync is under way', async () => {
  const directory = temporaryDirectory();
  const errors: unknown[] = [];
  const logger = new FileSessionLogger(directory, { onError: (error) => errors.push(error) });
  logger.log('s1', 'event', {});

  const synced = logger.sync('s1');
  logger.close('s1');
  logger.log('s1', 'reopened', {});
  await synced;

  expect(errors).toEqual([]);
  expect(load(directory).map(({ event }) => event)).toEqual(['event', 'reopened']);
});

describe('external payloads', () => {
  it('keep large values once, by hash, beside the log', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const large = 'x'.repeat(40_000);
    logger.log('s1', 'one', { result: { output: large } });
    logger.log('s1', 'two', { result: { output: large } });

    const [reference] = rawLines(directory).map(
      (line) => (line.result as { output: object }).output,
    );
    const { sha256 } = reference as { sha256: string };

    expect(reference).toEqual({
      kind: 'external-payload',
      encoding: 'json',
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      byteLength: 40_002,
      relativePath: `s1.payloads/${sha256}.json`,
    });
    expect(readdirSync(join(directory, 's1.payloads'))).toEqual([`${sha256}.json`]);
    expect(statSync(join(directory, 's1.payloads', `${sha256}.json`)).mode & 0o777).toBe(0o600);
    expect(load(directory)).toMatchObject([
      { result: { output: large } },
      { result: { output: large } },
    ]);
  });

  it('hold no secret', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const secret = `sk-ant-${'a'.repeat(40)}`;
    logger.log('s1', 'event', {
      text: `${'x'.repeat(40_000)} ${secret}`,
      apiKey: 'k'.repeat(40_000),
    });

    const [payload] = readdirSync(join(directory, 's1.payloads'));
    expect(readFileSync(join(directory, 's1.payloads', String(payload)), 'utf8')).not.toContain(
      secret,
    );
    expect(load(directory)).toMatchObject([{ apiKey: '[REDACTED]' }]);
  });

  it.each([
    ['points outside the log directory', '../outside.json'],
    ['is missing', 's1.payloads/none.json'],
    ['was changed', 's1.payloads/changed.json'],
  ])('stay a reference when the file %s', (_name, relativePath) => {
    const directory = join(temporaryDirectory(), 'logs');
    mkdirSync(join(directory, 's1.payloads'), { recursive: true });
    writeFileSync(join(directory, '..', 'outside.json'), '1');
    writeFileSync(join(directory, 's1.payloads', 'changed.json'), '"changed"');
    const value = { kind: 'external-payload', sha256: 'a'.repeat(64), relativePath };
    writeFileSync(join(directory, 's1.jsonl'), `${JSON.stringify({ event: 'e', value })}\n`);

    expect(load(directory)).toMatchObject([{ event: 'e', value }]);
  });
});
