import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Message } from '@robota-sdk/agent-core';
import {
  assertStrictHistory,
  calls,
  fakeTool,
  type ScriptedReply,
  says,
  scriptedProvider,
  thinks,
} from '@robota-sdk/agent-core/testing';
import {
  type AssembledSessionOptions,
  createProjectSessionStore,
  InteractiveSession,
  openSavedSession,
  replaySession,
  SessionNotFoundError,
  validateSession,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

function open(replies: ScriptedReply[], options: Partial<AssembledSessionOptions> = {}) {
  const provider = scriptedProvider(...replies);
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    tools: [fakeTool('Echo', () => 'echoed')],
    permissionMode: 'bypassPermissions',
    persistence: true,
    ...options,
  });
  return { provider, session };
}

const storyReplies = () => [
  thinks('hmm', calls({ id: 'a', name: 'Echo', args: { text: 'hi' } })),
  says('first answer'),
];

describe('resume', () => {
  it('sends the next request with the same beginning, to the byte', async () => {
    place.write('CLAUDE.md', 'Be brief.');
    const before = open([...storyReplies(), says('second answer')]);
    await before.session.submit('one');
    await before.session.submit('two');
    await before.session.shutdown();
    place.write('CLAUDE.md', 'Changed meanwhile.');

    const after = open([says('third answer')], { resumeSessionId: before.session.sessionId });
    await after.session.submit('three');
    await after.session.shutdown();

    const sent = asSent(before.provider.requests.at(-1) ?? []);
    const resumed = asSent(after.provider.requests[0] ?? []);
    expect(resumed.slice(0, sent.length)).toEqual(sent);
    expect(after.provider.requestOptions[0]?.tools).toEqual(
      before.provider.requestOptions[0]?.tools,
    );
    expect(after.provider.requestOptions[0]?.model).toBe(before.provider.requestOptions[0]?.model);
  });

  it('shows timeline, blocks and name at once, and numbers nothing again', async () => {
    const before = open(storyReplies(), { sessionName: 'my work' });
    await before.session.submit('one');
    await before.session.shutdown();

    const { session } = open([says('more')], { resumeSessionId: before.session.sessionId });

    expect(session.getName()).toBe('my work');
    expect(session.getFullHistory()).toEqual(before.session.getFullHistory());
    expect(session.getBlocks().map(({ type }) => type)).toEqual([
      'user_message',
      'thinking',
      'tool_use',
      'tool_result',
      'assistant_text',
    ]);
    const told: unknown[] = [];
    session.on('stream_event', (event) => told.push(event));
    await session.whenReady();
    expect(told).toEqual([]);
    await session.shutdown();
  });

  it('of an unknown id is a typed error, never a new session', async () => {
    const { session, provider } = open([says('never')], { resumeSessionId: 'nobody' });

    await expect(session.whenReady()).rejects.toBeInstanceOf(SessionNotFoundError);
    expect(await session.submit('hello')).toMatchObject({
      status: 'failed',
      error: { code: 'session_not_found' },
    });
    expect(provider.requests).toHaveLength(0);
    expect(existsSync(join(place.home, '.robota/sessions/nobody.json'))).toBe(false);
    await session.shutdown();
  });

  it('does not bring session approvals back', async () => {
    const before = open(storyReplies(), {
      permissionMode: 'default',
      permissionHandler: () => 'allow-session',
    });
    await before.session.submit('one');
    const granted = before.session.getSessionAllowedTools();
    await before.session.shutdown();

    const { session } = open([], { resumeSessionId: before.session.sessionId });
    await session.whenReady();

    expect([granted, session.getSessionAllowedTools()]).toEqual([['Echo'], []]);
    expect(session.getNotices()).toEqual([
      { kind: 'grants', message: 'Allowed earlier in this session and not any more: Echo.' },
    ]);
    await session.shutdown();
  });

  it('keeps background tasks and tells of those that were cut off', async () => {
    const before = open([says('one')]);
    await before.session.submit('one');
    await before.session.shutdown();
    const store = createProjectSessionStore(place.project);
    const record = store.load(before.session.sessionId);
    const backgroundTasks = [
      { id: 'done', status: 'completed' },
      { id: 'cut', status: 'running' },
    ];
    if (record) store.save({ ...record, backgroundTasks, custom: { kept: true } });

    const after = open([says('two')], { resumeSessionId: before.session.sessionId });
    await after.session.submit('two');
    await after.session.shutdown();

    expect(createProjectSessionStore(place.project).load(before.session.sessionId)).toMatchObject({
      custom: { kept: true },
      backgroundTasks: [
        { id: 'done', status: 'completed' },
        { id: 'cut', status: 'failed', timeoutReason: 'stale_worker', error: expect.any(String) },
      ],
    });
  });

  it('counts what the earlier life cost', async () => {
    const metadata = { inputTokens: 10, outputTokens: 1, model: 'claude-sonnet-4-5' };
    const before = open([says('a', { metadata })]);
    await before.session.submit('one');
    await before.session.shutdown();

    const after = open([says('b', { metadata })], { resumeSessionId: before.session.sessionId });
    await after.session.submit('two');

    expect(await after.session.getCosts()).toMatchObject([
      { requests: 2, usage: { inputTokens: 20, outputTokens: 2 }, causes: { main: 2 } },
    ]);
    await after.session.shutdown();
  });
});

describe('fork', () => {
  it('goes on under a new id and leaves the original as it was', async () => {
    const before = open(storyReplies());
    await before.session.submit('one');
    await before.session.shutdown();
    const file = join(place.home, '.robota/sessions', `${before.session.sessionId}.json`);
    const saved = readFileSync(file, 'utf8');

    const fork = open([says('other answer')], {
      resumeSessionId: before.session.sessionId,
      forkSession: true,
    });
    await fork.session.submit('two');
    await fork.session.shutdown();

    expect(fork.session.sessionId).not.toBe(before.session.sessionId);
    expect(readFileSync(file, 'utf8')).toBe(saved);
    expect(fork.provider.requests[0]?.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    const store = createProjectSessionStore(place.project);
    expect(store.load(fork.session.sessionId)?.messages).toHaveLength(7);
  });

  it('works while the original is open elsewhere', async () => {
    const before = open([...storyReplies(), says('still here')]);
    await before.session.submit('one');

    const fork = open([says('copy')], {
      resumeSessionId: before.session.sessionId,
      forkSession: true,
    });

    expect((await fork.session.submit('two')).status).toBe('completed');
    expect((await before.session.submit('two')).status).toBe('completed');
    await Promise.all([fork.session.shutdown(), before.session.shutdown()]);
  });
});

describe('one writer', () => {
  it('a second opener is told, and may look without writing', async () => {
    const first = open(storyReplies());
    await first.session.submit('one');
    const { sessionId } = first.session;

    const second = open([], { resumeSessionId: sessionId });
    const reader = open([], { resumeSessionId: sessionId, readOnly: true });

    expect(await second.session.submit('me too')).toMatchObject({
      status: 'failed',
      error: { code: 'session_locked' },
    });
    expect(reader.session.getMessages()).toHaveLength(2);
    expect(await reader.session.submit('hello')).toEqual({
      status: 'refused',
      reason: `Session ${sessionId} is open read-only; fork it to continue.`,
    });
    await Promise.all([second, reader, first].map(({ session }) => session.shutdown()));
  });
});

describe('after a crash in mid-turn', () => {
  it('the log brings back a conversation a model accepts', async () => {
    const first = open(storyReplies());
    await first.session.submit('one');
    await first.session.shutdown();
    const { sessionId } = first.session;
    const log = join(place.home, '.robota/logs', `${sessionId}.jsonl`);

    // A second life that dies while its tool runs: nothing after the request is ever written.
    let isRunning: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      isRunning = resolve;
    });
    const dying = open([calls({ id: 'b', name: 'Hang', args: {} })], {
      resumeSessionId: sessionId,
      tools: [
        fakeTool('Hang', (_parameters, { signal }) => {
          isRunning();
          return new Promise<string>((resolve) =>
            signal.addEventListener('abort', () => resolve('')),
          );
        }),
      ],
    });
    const turn = dying.session.submit('two');
    await running;
    const record = join(place.home, '.robota/sessions', `${sessionId}.json`);
    const atCrash = [log, record].map((file) => readFileSync(file, 'utf8'));
    dying.session.abort();
    await turn;
    await dying.session.shutdown();
    place.writeHome(`.robota/logs/${sessionId}.jsonl`, atCrash[0]);
    place.writeHome(`.robota/sessions/${sessionId}.json`, atCrash[1]);

    const after = open([says('recovered')], { resumeSessionId: sessionId });
    const outcome = await after.session.submit('go on');
    await after.session.shutdown();

    expect(outcome.status).toBe('completed');
    const sent = after.provider.requests[0] ?? [];
    assertStrictHistory(sent);
    expect(
      sent.find((message) => message.role === 'tool' && message.toolCallId === 'b')?.content,
    ).toContain('The outcome of this tool call is unknown');
    expect(after.session.getNotices()).toMatchObject([{ kind: 'restore' }]);
  });

  it('a session killed in its first turn is listed and comes back with its prompt', async () => {
    let isRunning: () => void = () => undefined;
    const running = new Promise<void>((resolve) => {
      isRunning = resolve;
    });
    const dying = open([calls({ id: 'b', name: 'Hang', args: {} })], {
      tools: [
        fakeTool('Hang', (_parameters, { signal }) => {
          isRunning();
          return new Promise<string>((resolve) =>
            signal.addEventListener('abort', () => resolve('')),
          );
        }),
      ],
    });
    const { sessionId } = dying.session;
    const log = `.robota/logs/${sessionId}.jsonl`;
    const turn = dying.session.submit('the first prompt');
    await running;
    const atCrash = readFileSync(join(place.home, log), 'utf8');
    dying.session.abort();
    await turn;
    await dying.session.shutdown();
    createProjectSessionStore(place.project).delete(sessionId);
    place.writeHome(log, atCrash);

    const listed = createProjectSessionStore(place.project).listSummaries();
    const { session } = open([], { resumeSessionId: sessionId });

    expect(listed.map(({ id }) => id)).toEqual([sessionId]);
    expect(
      session
        .getMessages()
        .filter(({ role }) => role === 'user')
        .map(({ content }) => content),
    ).toEqual(['the first prompt']);
    expect(session.getBlocks().map(({ type }) => type)).toEqual(['user_message', 'tool_use']);
    await session.whenReady();
    expect(session.getBlocks().map(({ type }) => type)).toEqual([
      'user_message',
      'tool_use',
      'tool_result',
      'system',
    ]);
    await session.shutdown();
  });

  it('a session that has only its log comes back from it', async () => {
    const first = open(storyReplies());
    await first.session.submit('one');
    await first.session.shutdown();
    const { sessionId } = first.session;
    createEmpty(sessionId);

    const after = open([says('back')], { resumeSessionId: sessionId });
    await after.session.submit('two');
    await after.session.shutdown();

    expect(after.provider.requests[0]?.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
  });
});

describe('an id given in code', () => {
  it('is the id of the new session, and of a fork', async () => {
    const first = open(storyReplies(), { sessionId: 'mine' });
    await first.session.submit('one');
    await first.session.shutdown();
    const fork = open([says('copy')], {
      resumeSessionId: 'mine',
      forkSession: true,
      sessionId: 'copy',
    });
    await fork.session.submit('two');
    await fork.session.shutdown();

    const ids = createProjectSessionStore(place.project)
      .list()
      .map(({ id }) => id);
    expect(ids.sort()).toEqual(['copy', 'mine']);
  });

  it('never takes the place of a saved session', async () => {
    const first = open(storyReplies(), { sessionId: 'mine' });
    await first.session.submit('one');
    await first.session.shutdown();

    const second = open([says('never')], { sessionId: 'mine' });

    expect(await second.session.submit('two')).toMatchObject({
      status: 'failed',
      error: { code: 'session_exists' },
    });
    expect(createProjectSessionStore(place.project).load('mine')?.messages).toHaveLength(5);
    await second.session.shutdown();
  });
});

it('a session that was opened and closed without a word is not kept', async () => {
  const { session } = open([]);

  await session.whenReady();
  await session.shutdown();

  expect(createProjectSessionStore(place.project).list()).toEqual([]);
});

describe('a read-only view', () => {
  it('stands as soon as its past is there, and says when there is none', async () => {
    const first = open(storyReplies(), { sessionId: 'mine' });
    await first.session.submit('one');
    await first.session.shutdown();

    const { session } = open([], { resumeSessionId: 'mine', readOnly: true });
    await session.whenReady();
    const missing = open([], { resumeSessionId: 'nobody', readOnly: true });

    expect(session.getBlocks()).toHaveLength(5);
    await expect(missing.session.whenReady()).rejects.toMatchObject({ code: 'session_not_found' });
  });
});

describe('where things are written', () => {
  it('is the home only, never the project', async () => {
    const { session } = open(storyReplies());
    await session.submit('one');
    await session.shutdown();

    expect(readdirSync(place.project)).toEqual([]);
    expect(readdirSync(join(place.home, '.robota')).sort()).toEqual(['logs', 'sessions']);
  });

  it('is nowhere without a store or with persistence switched off', async () => {
    for (const persistence of [undefined, false]) {
      const sessionStore =
        persistence === false ? createProjectSessionStore(place.project) : undefined;
      const { session } = open(storyReplies(), { persistence, sessionStore });
      await session.submit('one');
      await session.shutdown();
    }

    expect(readdirSync(place.home)).toEqual([]);
    expect(readdirSync(place.project)).toEqual([]);
  });
});

it('replays and validates a session from its log', async () => {
  const { session } = open(storyReplies());
  await session.submit('one');
  await session.shutdown();

  const replayed = replaySession(session.sessionId);
  const validation = validateSession(session.sessionId);

  expect(replayed.blocks.map(({ type }) => type)).toEqual(
    session.getBlocks().map(({ type }) => type),
  );
  expect(validation.issues.map(({ code }) => code)).toEqual([
    'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING',
    'PROVIDER_NATIVE_RAW_PAYLOAD_MISSING',
  ]);
  expect(validation.message).toContain('Session replay log has 2 issue(s).');
  expect(() => replaySession('nobody')).toThrow(SessionNotFoundError);
});

function createEmpty(sessionId: string): void {
  const file = join(place.home, '.robota/sessions', `${sessionId}.json`);
  rmSync(file);
}

/** What a vendor is sent of a message. */
function asSent(messages: readonly Message[]): string[] {
  return messages.map(({ id: _id, timestamp: _timestamp, ...sent }) => JSON.stringify(sent));
}

it('has saved a turn before anybody is told that it ended', async () => {
  const { session } = open([says('the answer')]);
  const saved: unknown[] = [];
  session.on('complete', () => {
    const { record } = openSavedSession(session.sessionId);
    saved.push((record.messages?.at(-1) as { content?: unknown } | undefined)?.content);
  });

  await session.submit('one');
  await session.shutdown();

  expect(saved).toEqual(['the answer']);
});

it('a fork is allowed nothing because its original was', async () => {
  const before = open([calls({ id: 'a', name: 'Echo' }), says('done')], {
    permissionMode: 'default',
    permissionHandler: () => 'allow-session',
  });
  await before.session.submit('one');
  const allowed = before.session.getSessionAllowedTools();
  await before.session.shutdown();

  const asked: string[] = [];
  const fork = open([calls({ id: 'b', name: 'Echo' }), says('done')], {
    permissionMode: 'default',
    permissionHandler: (toolName) => asked.push(toolName) > 0,
    resumeSessionId: before.session.sessionId,
    forkSession: true,
  });
  await fork.session.submit('two');
  const inherited = fork.session.getSessionAllowedTools();
  await fork.session.shutdown();

  expect([allowed, asked, inherited]).toEqual([['Echo'], ['Echo'], []]);
});
