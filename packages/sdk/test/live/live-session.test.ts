import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import {
  AgentLiveSession,
  createProjectSessionStore,
  FollowedSession,
  InteractiveSession,
  type LiveSession,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { expect, it, onTestFinished } from 'vitest';
import { describeLiveSession } from './describe-live-session.ts';
import { describeSessionView } from './describe-session-view.ts';
import { FAKE_PROGRAMS, fakePlace } from './fake-programs.ts';

describeLiveSession('our own engine', async () => {
  const session = engine();
  return { session, asking: 'touch', hanging: 'wait', heardText: text(session) };
});
describeSessionView('our own engine', async () => {
  const view = engine();
  return { view, happen: async () => void (await view.submit('hello')) };
});

for (const { name, type, hanging } of FAKE_PROGRAMS) {
  describeLiveSession(name, async () => {
    const { session } = await agent(name, type);
    return { session, asking: 'ask', hanging, heardText: text(session) };
  });
  describeSessionView(name, async () => {
    const { session } = await agent(name, type);
    return { view: session, happen: async () => void (await session.submit('hello')) };
  });
  describeSessionView(`${name}, written by somebody else`, async () => {
    const { session, root } = await agent(name, type);
    await session.submit('before');
    const view = new FollowedSession({
      type,
      sessionId: session.nativeId ?? session.sessionId,
      home: join(root, 'home'),
      environment: {},
    });
    onTestFinished(() => view.shutdown());
    return {
      view,
      happen: async () => {
        await session.submit('hello');
        await view.refresh();
      },
    };
  });
}

it('writes down who asked and who answered, and never gives a number twice', async () => {
  const { session, root, again } = await agent('claude', 'claude-agent-sdk');
  session.on('question', ({ id }) => void session.answer(id, 'deny', { user: 'grace' }));
  await session.submit('ask', undefined, undefined, { user: 'ada' });
  const last = session.getLastSequence();
  const shown = session.getConversation().blocks.map(({ id }) => id);
  await session.shutdown();

  const file = join(root, 'agents', `${session.sessionId}.events.jsonl`);
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const reopened = again();
  await reopened.whenReady();

  expect(lines).toContainEqual(expect.objectContaining({ event: 'prompt', user: 'ada' }));
  expect(lines).toContainEqual(
    expect.objectContaining({ event: 'permission_resolved', answer: 'deny', by: 'grace' }),
  );
  expect(reopened.getLastSequence()).toBeGreaterThan(last);
  expect(reopened.getStreamEpoch()).toBe(session.getStreamEpoch());
  expect(reopened.getConversation().blocks.map(({ id }) => id)).toEqual(shown);
});

it('keeps no copy of the files it works on', async () => {
  const { session, place } = await agent('claude', 'claude-agent-sdk');

  await session.submit('write');

  expect((await place.persistence.loadSession(session.sessionId))?.workspaceFiles).toEqual([]);
});

it('does not make a rule that lasts in another program, whatever was answered', async () => {
  const { session } = await agent('claude', 'claude-agent-sdk');
  session.on('question', ({ id }) => void session.answer(id, 'allow-project'));

  const outcome = await session.submit('ask');

  expect(outcome.status).toBe('completed');
  expect(() => readFileSync(join(session.getCwd() ?? '', '.claude/settings.local.json'))).toThrow(
    /ENOENT/,
  );
});

it('refuses images where the program cannot be sent any', async () => {
  const { session } = await agent('codex', 'codex');
  const parts = [{ type: 'image_uri', uri: 'https://example.com/a.png' }] as const;

  expect(await session.submit('look', undefined, undefined, { parts })).toMatchObject({
    status: 'refused',
  });
});

it('goes on with its numbers where an earlier opening ended', async () => {
  const cwd = folder();
  useHome(cwd);
  const sessionStore = createProjectSessionStore(cwd);
  const options = { cwd, provider: echo(), bare: true, sessionStore };
  const first = new InteractiveSession(options);
  await first.submit('hello');
  const last = first.getLastSequence();
  await first.shutdown();

  const second = new InteractiveSession({ ...options, resumeSessionId: first.sessionId });
  const numbers: number[] = [];
  second.on('stream_event', (_event, sequence) => numbers.push(sequence));
  const opened = second.getLastSequence();
  await second.submit('again');
  await second.shutdown();

  expect(opened).toBeGreaterThan(last);
  expect(Math.min(...numbers)).toBeGreaterThan(opened);
  expect(second.getStreamEpoch()).toBe(first.getStreamEpoch());
});

function engine(): LiveSession {
  const cwd = folder();
  useHome(cwd);
  const session = new InteractiveSession({
    cwd,
    provider: echo(),
    bare: true,
    queueDepth: 8,
    sessionStore: createProjectSessionStore(cwd),
  });
  onTestFinished(() => session.shutdown());
  return toLiveSession(session);
}

/** Sessions of ours are kept in the folder of the test. */
function useHome(cwd: string): void {
  const before = process.env.ROBOTA_HOME;
  process.env.ROBOTA_HOME = join(cwd, 'home');
  onTestFinished(() => {
    if (before === undefined) delete process.env.ROBOTA_HOME;
    else process.env.ROBOTA_HOME = before;
  });
}

async function agent(name: string, type: string) {
  const { place, root, remove } = await fakePlace(name);
  onTestFinished(remove);
  const session = new AgentLiveSession({ type, place, queueDepth: 8 });
  onTestFinished(() => session.shutdown());
  const again = () => {
    const { sessionId } = session;
    const reopened = new AgentLiveSession({ type, place, sessionId, begin: 'open' });
    onTestFinished(() => reopened.shutdown());
    return reopened;
  };
  return { session, place, root, again };
}

function folder(): string {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'robota-live-')));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  return cwd;
}

/** Resolves with the first text of the main thread, whether it comes in pieces or whole. */
function text(session: LiveSession): Promise<void> {
  return new Promise((resolve) => {
    session.on('stream_event', () => {
      if (session.getConversation().blocks.some(({ type }) => type === 'assistant_text')) resolve();
    });
  });
}

/** Says back what it was asked; "wait" ends only by an abort, "touch" wants to run a command. */
function echo(): Provider {
  return {
    name: 'echo',
    async chat(messages, { onTextDelta, signal } = {}) {
      const prompt = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
      if (messages.at(-1)?.role === 'tool') return createAssistantMessage('Done.');
      if (prompt.includes('touch')) return createAssistantMessage(null, { toolCalls: [TOUCH] });
      onTextDelta?.('You said ');
      if (prompt.includes('wait')) {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
        return { ...createAssistantMessage('You said '), state: 'interrupted' };
      }
      onTextDelta?.(prompt);
      return createAssistantMessage(`You said ${prompt}`);
    },
  };
}

const TOUCH = {
  id: 'touch-1',
  type: 'function' as const,
  function: { name: 'Bash', arguments: JSON.stringify({ command: 'touch it' }) },
};
