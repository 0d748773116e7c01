import {
  createRedactor,
  HeldLines,
  LogReader,
  LogWriter,
  type SessionLogEntry,
} from '@robota-sdk/agent-core/log';
import { describe, expect, it } from 'vitest';
import { createFill, leaks, plant, SECRET_KINDS } from './redact/secret-kinds.ts';

const redactor = createRedactor({ salt: 'pepper' });
const scope = { executionId: 'e', round: 1 };
const PROSE =
  'Some words, then a key is sent as it should be; see https://x.example/a?b=c for more.';

const SHAPES: Readonly<Record<string, (piece: string) => object>> = {
  'chat completions': (content) => ({ id: 'c', choices: [{ index: 0, delta: { content } }] }),
  responses: (delta) => ({ type: 'response.output_text.delta', output_index: 0, delta }),
  messages: (text) => ({ type: 'content_block_delta', index: 1, delta: { type: 't', text } }),
  candidates: (text) => ({ candidates: [{ content: { parts: [{ text }] } }] }),
};

function cut(text: string, seed: number): string[] {
  const fill = createFill(seed);
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const size = 1 + (fill(1).charCodeAt(0) % 12);
    pieces.push(text.slice(at, at + size));
    at += size;
  }
  return pieces;
}

/** What a log keeps of a text that came in pieces, when lines end wherever the pieces with these numbers came. */
function logged(pieces: readonly string[], shape: (piece: string) => object, every: number) {
  const writer = new LogWriter({ sessionId: 's', after: 0, redact: redactor.redactValue });
  const held = new HeldLines(redactor);
  const reader = new LogReader();
  const entries: SessionLogEntry[] = [];
  let n = 0;
  const write = (over: 'nothing' | 'round') => {
    const text = held
      .take(over)
      .map((line) => writer.writeHeld(line))
      .join('');
    for (const line of text.split('\n')) if (line) entries.push(...(reader.read(line) ?? []));
  };
  const add = (event: string, fields: object, value: unknown) => {
    n += 2;
    const line =
      held.lineFor(event, scope.executionId, scope.round) ??
      held.begin({ ...scope, ...fields, n, time: 1, event });
    held.add(line, value);
  };
  for (const [index, piece] of pieces.entries()) {
    const raw = { payloadKind: 'stream_event' };
    add('provider_native_raw_payload', raw, shape(piece));
    add('provider_stream_raw_delta', {}, piece);
    if (index % every === every - 1 && index < pieces.length - 1) write('nothing');
  }
  write('round');
  return {
    text: entries.map(({ event, delta }) => (event === 'text_delta' ? delta : '')).join(''),
    payloads: entries.flatMap(({ payload }) => (payload === undefined ? [] : payload)),
    all: JSON.stringify(entries),
  };
}

describe.each(Object.keys(SHAPES))('a text in the pieces of %s', (name) => {
  const shape = SHAPES[name] ?? (() => ({}));

  it.each(Object.keys(SECRET_KINDS))('shows nothing of a secret of the kind %s', (kind) => {
    for (let seed = 1; seed <= 3; seed++) {
      const { text, parts } = plant(SECRET_KINDS[kind] ?? '', createFill(seed * 31));
      const said = `First.\n${text}\nLast.`;

      const kept = logged(cut(said, seed), shape, 1 + seed * 2);

      expect(leaks(kept.all, parts)).toEqual([]);
      expect(kept.text).toBe(redactor.redactText(said));
    }
  });

  it('stays as it is where nothing is secret', () => {
    for (let seed = 1; seed <= 20; seed++) {
      const pieces = cut(PROSE, seed);

      const kept = logged(pieces, shape, 10_000);

      expect(kept.payloads).toEqual(pieces.map(shape));
      expect(kept.text).toBe(PROSE);
    }
  });
});
