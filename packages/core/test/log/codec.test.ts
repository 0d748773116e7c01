import { createAssistantMessage, createUserMessage, type Message } from '@robota-sdk/agent-core';
import {
  type Entry,
  HeldLines,
  LogReader,
  LogWriter,
  SessionFold,
} from '@robota-sdk/agent-core/log';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

/** Writes entries and gives the text of the log. */
class Written {
  readonly writer = new LogWriter({ sessionId: 's1', after: 0 });
  text = this.writer.header();
  #n = 0;

  add(event: string, fields: Record<string, unknown>): Entry {
    const entry = { ...fields, n: ++this.#n, time: 1_790_000_000_000 + this.#n, event };
    this.text += this.writer.write(entry);
    return entry;
  }

  lines(): string[] {
    return this.text.trimEnd().split('\n');
  }

  read(): Record<string, unknown>[] {
    const reader = new LogReader();
    return this.lines().flatMap((line) => JSON.parse(JSON.stringify(reader.read(line))));
  }
}

const plain = (value: unknown) => JSON.parse(JSON.stringify(value));
const LONG = 'many words that are said more than once '.repeat(8);

it('gives back every entry as it was, with the time and the session', () => {
  const log = new Written();
  const message = createUserMessage(LONG);
  const told = [
    log.add('prompt', { display: LONG, origin: 'user' }),
    log.add('user', { content: LONG }),
    log.add('history_mutation', { mutation: 'append_message', index: 0, message }),
    log.add('provider_request', { executionId: 'e', round: 1, model: 'm', messages: [message] }),
    log.add('pre_run', { input: `<reminder>\n${LONG}`, history: [message], model: 'm' }),
  ];

  const read = log.read();

  expect(read).toEqual(
    plain(
      told.map((entry) => ({
        ...entry,
        timestamp: new Date(entry.time).toISOString(),
        sessionId: 's1',
      })),
    ),
  );
});

it('writes a text, a message, a list and tool schemas once, and refers to them afterwards', () => {
  const log = new Written();
  const tools = [{ name: 'Look', description: LONG }];
  const message = createAssistantMessage(LONG);
  log.add('session_init', { toolSchemas: tools });
  log.add('provider_response_raw', { response: message });
  log.add('provider_response_normalized', { response: message });
  log.add('history_mutation', { mutation: 'append_message', index: 0, message });
  log.add('provider_request', { messages: [message], tools });

  const copies = log.lines().map((line) => line.split(LONG).length - 1);

  expect(copies.slice(1)).toEqual([1, 1, 0, 0, 0]);
});

describe('native requests', () => {
  it('are written as what is new in them', () => {
    const log = new Written();
    const request = (count: number) => ({
      model: 'm',
      system: LONG,
      messages: Array.from({ length: count }, (_, index) => ({
        role: 'user',
        content: `${LONG}${index}`,
      })),
    });
    const fields = { payloadKind: 'request' };
    const first = log.add('provider_native_raw_payload', { ...fields, payload: request(3) });
    const second = log.add('provider_native_raw_payload', { ...fields, payload: request(4) });

    const [, , line = ''] = log.lines();

    expect(line.split(LONG)).toHaveLength(2);
    expect(log.read().map(({ payload }) => payload)).toEqual([first.payload, second.payload]);
  });
});

describe('the structure of a history', () => {
  it('is not written, and described when somebody looks', () => {
    const log = new Written();
    const message = createUserMessage('hi');
    log.add('history_mutation', { mutation: 'append_message', index: 0, message });
    log.add('assistant', {
      content: 'x',
      history: [message],
      historyStructure: [{ role: 'user' }],
    });

    const [, assistant] = log.read();

    expect(log.text).not.toContain('historyStructure');
    expect(assistant?.historyStructure).toEqual([
      { role: 'user', contentLength: 2, hasToolCalls: false, toolCallNames: [] },
    ]);
  });
});

it('keeps the pieces of streams apart, however vendors shape their chunks', () => {
  const chunk = fc.record({
    id: fc.constant('chatcmpl-1'),
    choices: fc.tuple(fc.record({ delta: fc.record({ content: fc.string() }), index: fc.nat(2) })),
    usage: fc.option(fc.record({ total: fc.nat() })),
  });
  fc.assert(
    fc.property(
      fc.array(chunk, { minLength: 1, maxLength: 12 }),
      fc.array(fc.string()),
      (payloads, texts) => {
        const writer = new LogWriter({ sessionId: 's1', after: 0 });
        const held = new HeldLines();
        const scope = { executionId: 'e', round: 1, sequence: 0 };
        const raw = held.begin({
          ...scope,
          n: 1,
          time: 1,
          event: 'provider_native_raw_payload',
          payloadKind: 'stream_event',
        });
        for (const payload of payloads) held.add(raw, payload);
        const text = held.begin({ ...scope, n: 2, time: 1, event: 'provider_stream_raw_delta' });
        for (const delta of ['', ...texts]) held.add(text, delta);
        const reader = new LogReader();
        const lines = held
          .take('round')
          .map((line) => writer.writeHeld(line))
          .join('');

        const read = lines
          .trimEnd()
          .split('\n')
          .flatMap((line) => reader.read(line) ?? []);

        expect(
          read.filter(({ payload }) => payload !== undefined).map(({ payload }) => payload),
        ).toEqual(payloads);
        const deltas = read.filter(({ event }) => event === 'provider_stream_raw_delta');
        expect(deltas.map(({ delta }) => delta)).toEqual(['', ...texts]);
        expect(
          read.filter(({ event }) => event === 'text_delta').map(({ delta }) => delta),
        ).toEqual(['', ...texts]);
      },
    ),
  );
});

it('can be read from a checkpoint on, given the conversation', () => {
  const log = new Written();
  const messages: Message[] = [];
  const say = (message: Message) => {
    log.add('history_mutation', { mutation: 'append_message', index: messages.length, message });
    messages.push(message);
  };
  say(createUserMessage(LONG));
  const before = new LogReader({ detail: 'folds' });
  for (const line of log.lines()) before.read(line);
  log.text = log.writer.checkpoint();
  say(createAssistantMessage(LONG));
  log.add('turn_end', { response: LONG });

  const tail = new LogReader({
    start: { n: before.last, sessionId: 's1', history: before.history },
  });
  const read = log.lines().flatMap((line) => tail.read(line) ?? []);

  expect(read.map(({ event }) => event)).toEqual(['history_mutation', 'turn_end']);
  expect(plain(tail.history.messages)).toEqual(plain(messages));
  expect(read[1]?.response).toBe(LONG);
});

it('folds to the same state as what was told', () => {
  const log = new Written();
  const live = new SessionFold();
  const window = { maxTokens: 200, usedTokens: 20, usedPercentage: 10, remainingPercentage: 90 };
  for (const [event, fields] of [
    ['prompt', { display: LONG, origin: 'user' }],
    ['context', window],
    ['turn_end', { status: 'completed', endedBy: 'answer' }],
  ] as const) {
    live.apply(log.add(event, fields));
  }

  const reader = new LogReader({ detail: 'folds' });
  const folded = new SessionFold();
  for (const line of log.lines()) {
    for (const entry of reader.read(line) ?? []) folded.apply(entry as Entry);
  }

  expect(folded.state.context).toEqual(window);
  expect(folded.state).toEqual(live.state);
});

it('heads a line of text the same way, whether its scope is known or new', () => {
  const writer = new LogWriter({ sessionId: 's1', after: 0 });
  const held = new HeldLines();
  const line = (n: number, more: object = {}) => {
    const first = {
      n,
      time: 7,
      event: 'provider_stream_raw_delta',
      executionId: 'e',
      conversationId: 'c',
      round: 1,
      sequence: n,
      delta: '',
      ...more,
    };
    const begun = held.begin(first);
    held.add(begun, 'say "so"');
    return held
      .take('round')
      .map((each) => writer.writeHeld(each).split('\n')[0])
      .join();
  };

  expect([line(1), line(3), line(5, { round: 2 }), line(7, { note: 'x', round: 2 })]).toEqual([
    '{"n":1,"t":7,"event":"provider_stream_raw_delta","executionId":"e","conversationId":"c","round":1,"sequence":1,"delta":"say \\"so\\""}',
    '{"n":3,"t":7,"event":"provider_stream_raw_delta","s":"ecr","sequence":3,"delta":"say \\"so\\""}',
    '{"n":5,"t":7,"event":"provider_stream_raw_delta","s":"ec","round":2,"sequence":5,"delta":"say \\"so\\""}',
    '{"n":7,"t":7,"event":"provider_stream_raw_delta","s":"ecr","sequence":7,"note":"x","delta":"say \\"so\\""}',
  ]);
});
