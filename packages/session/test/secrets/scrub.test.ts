import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FileSessionLogger,
  loadSessionLogEntries,
  SessionStore,
  scrubSessionFiles,
  snapshotFolders,
} from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';
import { startSession, temporaryDirectory } from '../session-kit.ts';
import { inPieces, leaksIn, plantAll, streamingProvider } from './planted-secrets.ts';

const SECRETS = [...plantAll(5).values()];
const ALL = SECRETS.map(({ text }) => text).join('\n');
const time = { timestamp: '2025-01-02T03:04:05.000Z', sessionId: 's1' };
const scope = { executionId: 'e1', conversationId: 's1', round: 1 };

function placeIn(home: string) {
  const store = new SessionStore(join(home, 'sessions'), { logDir: join(home, 'logs') });
  const files = { id: 's1', record: store.getFilePath('s1'), log: String(store.getLogPath('s1')) };
  mkdirSync(join(home, 'logs/s1.payloads'), { recursive: true });
  mkdirSync(join(home, 'sessions'), { recursive: true });
  return { store, files };
}

/** A large value as it was moved out of a line. */
function payloadFile(home: string, value: unknown): object {
  const json = JSON.stringify(value);
  const sha256 = createHash('sha256').update(json).digest('hex');
  const relativePath = `s1.payloads/${sha256}.json`;
  writeFileSync(join(home, 'logs', relativePath), json);
  const byteLength = Buffer.byteLength(json);
  return { kind: 'external-payload', encoding: 'json', sha256, byteLength, relativePath };
}

const message = { id: 'm1', role: 'user', content: ALL, ...time, state: 'complete' };
const said = `Said:\n${ALL}\nDone.`;

/** The lines of a log of version 0.1, as it wrote them where it found no secret. */
function oldLines(home: string): object[] {
  const pieces = inPieces(said, 3);
  const nested = payloadFile(home, { inner: payloadFile(home, { deep: ALL }), text: ALL });
  return [
    { ...time, event: 'user', content: ALL },
    { ...time, event: 'history_mutation', mutation: 'append_message', index: 0, message },
    ...pieces.flatMap((delta, sequence) => [
      { ...time, event: 'provider_stream_raw_delta', ...scope, sequence, delta },
      { ...time, event: 'text_delta', delta },
    ]),
    {
      ...time,
      event: 'provider_native_raw_payload',
      ...scope,
      payloadKind: 'stream_event',
      count: pieces.length,
      payloads: pieces.map((content) => ({ choices: [{ delta: { content } }] })),
    },
    {
      ...time,
      event: 'provider_thinking_delta',
      ...scope,
      count: pieces.length,
      lengths: pieces.map(({ length }) => length),
      delta: payloadFile(home, said),
    },
    { ...time, event: 'tool_execution_result', toolCallId: 'c1', toolName: 'Show', result: nested },
    { ...time, event: 'assistant', content: said },
  ];
}

function writeOldSession(home: string) {
  const place = placeIn(home);
  const lines = oldLines(home).map((line) => JSON.stringify(line));
  writeFileSync(place.files.log, `${lines.join('\n')}\n{"torn":"${SECRETS[0]?.text}`);
  const record = { version: 1, id: 's1', cwd: '/x', ...time, createdAt: time.timestamp };
  const kept = { ...record, updatedAt: time.timestamp, messages: [message], history: [] };
  writeFileSync(
    place.files.record,
    JSON.stringify({ ...kept, revision: 'r', password: 'hunter2' }),
  );
  const tail = { revision: 'r', messagesFrom: 1, historyFrom: 0, messages: [{ content: ALL }] };
  writeFileSync(
    join(home, 'sessions/s1.tail.jsonl'),
    `${JSON.stringify({ ...tail, history: [], set: {}, unset: [] })}\n`,
  );
  mkdirSync(join(home, 'logs/s1/subagents'), { recursive: true });
  writeFileSync(
    join(home, 'logs/s1/subagents/a1.jsonl'),
    `${JSON.stringify({ ...time, event: 'user', content: ALL })}\n`,
  );
  return place;
}

describe('scrubbing a session of version 0.1', () => {
  it('leaves no secret in any of its files', () => {
    const home = temporaryDirectory();
    const { files } = writeOldSession(home);
    expect(leaksIn(home, SECRETS)).not.toEqual([]);

    const result = scrubSessionFiles(files);

    expect(leaksIn(home, SECRETS)).toEqual([]);
    expect(readFileSync(files.record, 'utf8')).not.toContain('hunter2');
    expect(result.replaced).toBeGreaterThan(SECRETS.length);
  });

  it('leaves a log that says what it said, with placeholders', () => {
    const home = temporaryDirectory();
    const { files } = writeOldSession(home);
    const events = loadSessionLogEntries(files.log).map(({ event }) => event);

    scrubSessionFiles(files);

    const entries = loadSessionLogEntries(files.log);
    expect(entries.map(({ event }) => event)).toEqual(events);
    const streamed = entries.filter(({ event }) => event === 'provider_stream_raw_delta');
    const thought = entries.filter(({ event }) => event === 'provider_thinking_delta');
    const answer = entries.find(({ event }) => event === 'assistant')?.content;
    expect(streamed.map(({ delta }) => delta).join('')).toBe(answer);
    expect(thought.map(({ delta }) => delta).join('')).toBe(answer);
  });

  it('changes nothing the second time', () => {
    const home = temporaryDirectory();
    const { files } = writeOldSession(home);
    scrubSessionFiles(files);
    const before = readFileSync(files.log, 'utf8');

    const result = scrubSessionFiles(files);

    expect(result.replaced).toBe(0);
    expect(readFileSync(files.log, 'utf8')).toBe(before);
  });
});

describe('scrubbing a session of today', () => {
  async function talk(home: string, text: string) {
    const { store, files } = placeIn(home);
    const session = startSession(streamingProvider({ text, thinking: text }, { text: 'Bye.' }), {
      sessionId: 's1',
      sessionLogger: new FileSessionLogger(join(home, 'logs')),
      sessionStore: store,
    });
    await session.run(`Keep ${text} .`);
    await session.rename('named');
    await session.run('Bye.');
    return { session, store, files };
  }

  it('removes the vault and leaves the rest as it was', async () => {
    const home = temporaryDirectory();
    const { session, store, files } = await talk(home, ALL);
    await session.shutdown();
    const [log, record] = [readFileSync(files.log, 'utf8'), store.load('s1')];

    const result = scrubSessionFiles(files);

    expect(result).toMatchObject({ replaced: 0, hadVault: true });
    expect(existsSync(join(home, 'logs/s1.vault'))).toBe(false);
    expect(readFileSync(files.log, 'utf8')).toBe(log);
    expect(store.load('s1')).toEqual(record);
  });

  it('keeps the record where it stands in a log that becomes shorter', async () => {
    const home = temporaryDirectory();
    const { session, store, files } = await talk(home, 'words');
    const secret = SECRETS[0]?.text ?? '';
    await session.shutdown();
    const named = readFileSync(files.log, 'utf8').replaceAll('Keep words', `Keep ${secret}`);
    const grown = named.length - readFileSync(files.log, 'utf8').length;
    writeFileSync(files.log, named);
    const record = JSON.parse(readFileSync(files.record, 'utf8'));
    record.log.bytes += grown;
    writeFileSync(files.record, JSON.stringify(record));

    scrubSessionFiles(files);

    const saved = store.open('s1');
    expect(saved?.problem).toBeUndefined();
    expect(saved?.skipped).toEqual([]);
    expect(saved?.record.name).toBe('named');
    expect(leaksIn(home, SECRETS)).toEqual([]);
  });
});

it('removes the copies of files, which are exact', () => {
  const home = temporaryDirectory();
  const { files, store } = placeIn(home);
  const { session, tree } = snapshotFolders(join(home, 'logs'), 's1', '/project');
  for (const folder of [session, tree]) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'copy.vault'), ALL);
  }
  store.save({
    id: 's1',
    cwd: '/project',
    createdAt: '',
    updatedAt: '',
    messages: [],
    history: [],
  });

  scrubSessionFiles(files);

  expect([session, tree].filter((folder) => existsSync(folder))).toEqual([]);
});
