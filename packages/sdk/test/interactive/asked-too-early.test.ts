import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { applyCommandResult, InteractiveSession } from '@robota-sdk/agent-sdk';
import { type SessionRecord, SessionStore } from '@robota-sdk/agent-session';
import { expect, it, onTestFinished } from 'vitest';
import { recordEvents } from './scripted-session.ts';

function directory(): string {
  const path = mkdtempSync(join(tmpdir(), 'robota-early-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

it('keeps a prompt that comes before a slow store has given the session back', async () => {
  const cwd = directory();
  const files = new SessionStore(join(cwd, 'sessions'));
  const options = { cwd, context: {}, config: {}, builtinTools: false };
  const first = new InteractiveSession({
    ...options,
    provider: scriptedProvider(says('One.')),
    sessionStore: files,
  });
  await first.submit('1');
  await first.shutdown();
  const slow = {
    save: async (record: SessionRecord) => files.save(record),
    load: async (id: string) => files.load(id),
    list: async () => files.list(),
    delete: async (id: string) => files.delete(id),
  };
  const second = new InteractiveSession({
    ...options,
    provider: scriptedProvider(says('Two.')),
    sessionStore: slow,
    resumeSessionId: first.sessionId,
  });

  await second.submit('2');
  await second.shutdown();

  expect(second.getMessages().map(({ content }) => content)).toEqual(['1', 'One.', '2', 'Two.']);
  expect(files.load(first.sessionId)?.history).toHaveLength(4);
});

it('ends a turn of a session that has only the methods of the specification', async () => {
  const session = {
    run: async (message: string) => `You said ${message}.`,
    abort: () => undefined,
    getHistory: () => [],
    getContextState: () => ({
      usedTokens: 0,
      maxTokens: 1,
      usedPercentage: 0,
      remainingPercentage: 100,
    }),
    clearHistory: () => undefined,
    getPermissionMode: () => 'default' as const,
    setPermissionMode: () => undefined,
    getSessionId: () => 'bare',
    getMessageCount: () => 0,
    getSessionAllowedTools: () => [],
    compact: async () => undefined,
    injectMessage: () => undefined,
  };
  const sessionStore = new SessionStore(directory());
  const interactive = new InteractiveSession({ session, cwd: '/work', sessionStore });
  const seen = recordEvents(interactive, ['complete', 'error', 'thinking']);

  await interactive.submit('hi');

  expect(seen.map(([name]) => name)).toEqual(['thinking', 'complete', 'thinking']);
  expect(sessionStore.load('bare')?.history).toHaveLength(2);
});

it('shows what was said before a tool was called, and applies what a command asks for', async () => {
  const cwd = directory();
  const provider = scriptedProvider(says('Hi.'));
  const session = new InteractiveSession({
    cwd,
    provider,
    context: {},
    config: {},
    builtinTools: false,
  });
  await session.whenReady();

  const result = await session.executeCommand('rename', 'my work');
  if (result) applyCommandResult(session, result);

  expect(result).toMatchObject({ success: true, data: { name: 'my work' } });
  expect(session.getName()).toBe('my work');
  await session.shutdown();
});
