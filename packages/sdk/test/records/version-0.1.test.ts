import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertStrictHistory, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { SessionStore } from '@robota-sdk/agent-session';
import { expect, it, onTestFinished } from 'vitest';
import { type OpenedSession, openSession } from '../../src/records/open-session.ts';

const ID = 'sample-01';

/** Files as version 0.1 left them, in a directory of their own. */
function sample() {
  const directory = mkdtempSync(join(tmpdir(), 'robota-old-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(join(import.meta.dirname, '../fixtures/version-0.1'), directory, { recursive: true });
  const logDirectory = join(directory, 'logs');
  const store = new SessionStore(join(directory, 'sessions'), { logDir: logDirectory });
  return { directory, store, logDirectory };
}

function opened(place: ReturnType<typeof sample>): OpenedSession {
  return openSession(ID, place) as OpenedSession;
}

const TYPES = [
  'user_message',
  'thinking',
  'tool_use',
  'tool_use',
  'tool_result',
  'tool_result',
  'assistant_text',
  'user_message',
  'subagent',
  'assistant_text',
  'system',
  'user_message',
  'assistant_text',
];

it('opens with the conversation of its record and everything its log shows', () => {
  const place = sample();
  const record = JSON.parse(readFileSync(place.store.getFilePath(ID), 'utf8'));

  const { fold, blocks, problem } = opened(place);

  expect(problem).toBeUndefined();
  expect(JSON.parse(JSON.stringify(fold.state.messages))).toEqual(record.messages);
  expect(JSON.parse(JSON.stringify(fold.state.timeline))).toEqual(record.history);
  expect(fold.state).toMatchObject({ name: 'a sample', turn: null });
  expect(Object.values(fold.state.usage)).toEqual(record.modelUsage);
  expect(blocks.state.blocks.map(({ type }) => type)).toEqual(TYPES);
});

it('opens from its log alone', () => {
  const place = sample();
  rmSync(place.store.getFilePath(ID));

  const { fold, blocks, problem } = opened(place);

  expect(problem?.code).toBe('record_lost');
  expect(fold.state.messages.at(-1)?.content).toBe('After the summary.');
  expect(blocks.state.blocks.map(({ type }) => type)).toEqual(TYPES);
  expect(place.store.list().map(({ id }) => id)).toEqual([ID]);
});

it('goes on in the new format, and is the same afterwards from the record and from the log', async () => {
  const place = sample();
  const provider = scriptedProvider(says('Gladly.'));
  const session = new InteractiveSession({
    cwd: place.directory,
    provider,
    sessionStore: place.store,
    logDirectory: place.logDirectory,
    resumeSessionId: ID,
    config: {},
    context: {},
    builtinTools: false,
  });

  await session.submit('Go on');
  await session.shutdown();

  assertStrictHistory(provider.requests[0] ?? []);
  const types = [...TYPES, 'user_message', 'assistant_text'];
  const fromRecord = opened(place);
  expect(fromRecord.blocks.state.blocks.map(({ type }) => type)).toEqual(types);
  rmSync(place.store.getFilePath(ID));
  const fromLog = opened(place);
  expect(fromLog.blocks.state.blocks).toEqual(fromRecord.blocks.state.blocks);
  expect(JSON.stringify(fromLog.fold.state.messages)).toBe(
    JSON.stringify(fromRecord.fold.state.messages),
  );
});
