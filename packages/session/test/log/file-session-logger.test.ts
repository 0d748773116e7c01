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
import {
  createAssistantMessage,
  createSystemMessage,
  createUserMessage,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
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

function withoutTime(entries: readonly SessionLogEntry[]): object[] {
  return entries.map(({ timestamp: _timestamp, sessionId: _id, ...rest }) => ({ ...rest }));
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

describe('streamed deltas', () => {
  it('share a line until something else is logged, and are read one by one', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const scope = { executionId: 'e1', round: 1 };
    for (const [sequence, delta] of ['Hel', 'lo', '!'].entries()) {
      logger.log('s1', 'provider_stream_raw_delta', { ...scope, sequence, delta });
      logger.log('s1', 'text_delta', { delta });
    }

    logger.log('s1', 'after', {});

    expect(rawLines(directory)).toMatchObject([
      { event: 'provider_stream_raw_delta', sequence: 0, count: 3, delta: 'Hello!' },
      { event: 'text_delta', count: 3, delta: 'Hello!' },
      { event: 'after' },
    ]);
    expect(withoutTime(load(directory))).toEqual([
      { event: 'provider_stream_raw_delta', ...scope, sequence: 0, delta: 'Hel' },
      { event: 'provider_stream_raw_delta', ...scope, sequence: 1, delta: 'lo' },
      { event: 'provider_stream_raw_delta', ...scope, sequence: 2, delta: '!' },
      { event: 'text_delta', delta: 'Hel' },
      { event: 'text_delta', delta: 'lo' },
      { event: 'text_delta', delta: '!' },
      { event: 'after' },
    ]);
  });

  it('share a line for native stream payloads too', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const event = 'provider_native_raw_payload';
    const scope = { executionId: 'e1', round: 1, provider: 'p', payloadKind: 'stream_event' };
    logger.log('s1', event, { ...scope, sequence: 0, payload: { n: 0 } });
    logger.log('s1', event, { ...scope, sequence: 1, payload: { n: 1 } });

    logger.flush();

    expect(rawLines(directory)).toHaveLength(1);
    expect(withoutTime(load(directory))).toEqual([
      { event, ...scope, sequence: 0, payload: { n: 0 } },
      { event, ...scope, sequence: 1, payload: { n: 1 } },
    ]);
  });

  it('are on disk within 50 milliseconds while nothing else happens', async () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);

    logger.log('s1', 'text_delta', { delta: 'still running' });

    await expect
      .poll(() => load(directory), { timeout: 2000, interval: 5 })
      .toMatchObject([{ event: 'text_delta', delta: 'still running' }]);
  });

  it('redacts a secret that was streamed in pieces', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    for (const delta of ['key sk-ant-', 'a'.repeat(20), 'b'.repeat(20)]) {
      logger.log('s1', 'text_delta', { delta });
    }

    logger.flush();

    const text = load(directory).map(({ delta }) => delta);
    expect(text.join('')).toBe('key [REDACTED:api-key]');
    expect(text).toHaveLength(3);
  });
});

describe('history references', () => {
  const system = createSystemMessage('You help.');
  const user = createUserMessage('Hi');
  const reply = createAssistantMessage('Hello.');

  function logConversation(directory: string): FileSessionLogger {
    const logger = new FileSessionLogger(directory);
    const event = 'history_mutation';
    logger.log('s1', event, { mutation: 'set_system_message', message: system });
    logger.log('s1', event, { mutation: 'append_message', index: 1, message: user });
    logger.log('s1', event, { mutation: 'append_message', index: 2, message: reply });
    return logger;
  }

  const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

  it('write a history the log already holds as its epoch and length', () => {
    const directory = temporaryDirectory();
    const logger = logConversation(directory);
    const extra = createUserMessage('only in this request');

    logger.log('s1', 'provider_request', { messages: [system, user, reply, extra] });

    expect(rawLines(directory).at(-1)?.messages).toEqual({
      kind: 'history-reference',
      epoch: 1,
      length: 3,
      extra: [asJson(extra)],
    });
    expect(asJson(load(directory).at(-1)?.messages)).toEqual(asJson([system, user, reply, extra]));
  });

  it('resolve to the history of their time after it was cleared', () => {
    const directory = temporaryDirectory();
    const logger = logConversation(directory);
    logger.log('s1', 'assistant', { content: 'Hello.', history: [system, user, reply] });
    logger.log('s1', 'history_mutation', { mutation: 'clear' });
    logger.log('s1', 'pre_run', { history: [system] });

    const entries = load(directory);

    expect(rawLines(directory).at(-1)?.history).toMatchObject({ epoch: 2, length: 1 });
    expect(asJson(entries.at(-3)?.history)).toEqual(asJson([system, user, reply]));
    expect(asJson(entries.at(-1)?.history)).toEqual(asJson([system]));
  });

  it('carry messages that a request words differently or leaves out', () => {
    const directory = temporaryDirectory();
    const logger = logConversation(directory);
    const noted = { ...reply, content: 'Hello.\n\n[This response was interrupted by the user]' };
    logger.log('s1', 'provider_request', { messages: [system, noted] });
    logger.log('s1', 'provider_request', { messages: [system, user, noted] });

    const [first, second] = load(directory).slice(-2);

    expect(rawLines(directory).at(-2)?.messages).toMatchObject({ omit: [1], replaced: { 2: {} } });
    expect(rawLines(directory).at(-1)?.messages).toEqual({
      kind: 'history-reference',
      epoch: 1,
      length: 3,
      variants: [2],
    });
    expect(asJson(first?.messages)).toEqual(asJson([system, noted]));
    expect(asJson(second?.messages)).toEqual(asJson([system, user, noted]));
  });

  it('describe the structure of a history only when somebody looks', () => {
    const directory = temporaryDirectory();
    const logger = logConversation(directory);
    logger.log('s1', 'assistant', {
      content: 'Hello.',
      history: [system, user, reply],
      get historyStructure(): object {
        throw new Error('computed although nobody looked');
      },
    });

    expect(rawLines(directory).at(-1)?.historyStructure).toMatchObject({ epoch: 1, length: 3 });
    expect(load(directory).at(-1)?.historyStructure).toEqual([
      { role: 'system', contentLength: 9, hasToolCalls: false, toolCallNames: [] },
      { role: 'user', contentLength: 2, hasToolCalls: false, toolCallNames: [] },
      { role: 'assistant', contentLength: 6, hasToolCalls: false, toolCallNames: [] },
    ]);
  });

  it('go on across processes: a restored history is not written again', () => {
    const directory = temporaryDirectory();
    logConversation(directory).close();
    const logger = new FileSessionLogger(directory);
    const prompt = createSystemMessage('You help better.');
    const restored = [prompt, user, reply].map((message) => ({ ...message }));
    logger.log('s1', 'history_mutation', { mutation: 'set_system_message', message: prompt });
    logger.log('s1', 'history_mutation', {
      mutation: 'replace_all',
      reason: 'restore',
      messages: restored,
    });

    logger.log('s1', 'pre_run', { history: restored });

    expect(JSON.stringify(rawLines(directory).slice(-2))).not.toContain('Hello.');
    expect(asJson(load(directory).at(-1)?.history)).toEqual(asJson([prompt, user, reply]));
  });

  it('are enumerable, so that a copy of an entry holds the messages', () => {
    const directory = temporaryDirectory();
    logConversation(directory).log('s1', 'pre_run', { history: [system, user, reply] });

    const copy = { ...load(directory).at(-1) };

    expect(asJson(copy.history)).toEqual(asJson([system, user, reply]));
  });
});

describe('repetition', () => {
  it('is left out for native requests: each line holds what is new', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const instructions = 'i'.repeat(1000);
    const messages = Array.from({ length: 50 }, (_, index) => ({
      role: 'user',
      text: `m${index}`,
    }));
    const request = (count: number) => ({
      executionId: 'e1',
      round: 1,
      provider: 'p',
      payloadKind: 'request',
      payload: { model: 'm', instructions, input: messages.slice(0, count) },
    });
    for (const count of [48, 49, 50]) {
      logger.log('s1', 'provider_native_raw_payload', request(count));
    }

    const lines = rawLines(directory);

    expect(lines[2]?.payload).toEqual({
      model: 'm',
      instructions: { kind: 'native-request-reference', request: 2 },
      input: { kind: 'native-request-reference', request: 2, length: 49, extra: [messages[49]] },
    });
    expect(load(directory).map(({ payload }) => payload)).toEqual(
      [48, 49, 50].map((count) => request(count).payload),
    );
  });

  it('is left out for long messages, prompts and answers', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const text = 'word '.repeat(200);
    const message = createAssistantMessage(text);
    const committed = { ...message, metadata: { round: 1 } };
    logger.log('s1', 'user', { content: text });
    logger.log('s1', 'pre_run', { input: text });
    logger.log('s1', 'provider_response_raw', { response: message });
    logger.log('s1', 'provider_response_normalized', { response: committed });
    logger.log('s1', 'history_mutation', {
      mutation: 'append_message',
      index: 0,
      message: committed,
    });
    logger.log('s1', 'assistant', { content: text });

    expect(readFileSync(join(directory, 's1.jsonl'), 'utf8').split(text)).toHaveLength(3);
    const entries = load(directory);
    expect(entries[1]?.input).toBe(text);
    expect(entries[3]?.response).toEqual(JSON.parse(JSON.stringify(committed)));
    expect(entries[5]?.content).toBe(text);
  });
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

  it('keep tool schemas once, however many requests carry them', () => {
    const directory = temporaryDirectory();
    const logger = new FileSessionLogger(directory);
    const tools = [{ name: 'Read', description: 'd'.repeat(2000) }];
    logger.log('s1', 'session_init', { toolSchemas: tools });
    logger.log('s1', 'provider_request', { tools });

    expect(readdirSync(join(directory, 's1.payloads'))).toHaveLength(1);
    expect(load(directory)).toMatchObject([{ toolSchemas: tools }, { tools }]);
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

    expect(load(directory)).toEqual([{ event: 'e', value }]);
  });
});
