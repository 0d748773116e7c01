import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type ConversationBlock,
  parseTranscripts,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import {
  AgentSession,
  type AgentSessionOptions,
  FileTranscriptPersistence,
  followTranscript,
  LocalAgentHome,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fakeAgent, processesOf, temporaryFolder } from '../drivers/temporary-home.ts';

describe('a session', () => {
  it('opened again shows what somebody did meanwhile in the program itself', async () => {
    const { session, reopen, persistence } = await open();
    await read(session.sendMessage('one'));
    await session.destroy();
    appendLine(session, { uuid: 'u9', content: 'Said in the program' });

    const again = await reopen();

    expect(texts(again)).toEqual(['one', 'Answer to one', 'Said in the program']);
    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toBe(again.getState().rawTranscript);
    expect(saved?.rawTranscript).toContain('Said in the program');
  });

  it('that is open tells it, and saves it, without being asked', async () => {
    const { session, bus, persistence } = await open();
    await read(session.sendMessage('one'));
    const told = nextEvent(bus, (event) => JSON.stringify(event).includes('Said in the program'));
    appendLine(session, { uuid: 'u9', content: 'Said in the program' });

    await told;

    expect(texts(session)).toEqual(['one', 'Answer to one', 'Said in the program']);
    await until(async () => {
      const saved = await persistence.loadSession(session.sessionId);
      return saved?.rawTranscript?.includes('Said in the program') === true;
    });
  });

  it('begins a turn from what lies there by then', async () => {
    const { session, bus } = await open();
    await read(session.sendMessage('one'));
    const told: string[] = [];
    bus.on('stream_event', (event: StreamEvent) => {
      if (event.type === 'block_complete') told.push(JSON.stringify(event.block));
    });
    appendLine(session, { uuid: 'u9', content: 'Said in the program' });

    await read(session.sendMessage('two'));

    expect(texts(session)).toEqual([
      'one',
      'Answer to one',
      'Said in the program',
      'two',
      'Answer to two',
    ]);
    // Told by the watch before the turn, or else as the first of its events.
    expect(told[0]).toContain('Said in the program');
  });

  it('is saved whole when the last event is read, although the program writes late', async () => {
    const { session, persistence } = await open({ environment: { FAKE_FLUSH_MS: '120' } });

    const events = await read(session.sendMessage('one'));

    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toContain('Answer to one');
    expect(events.at(-1)).toMatchObject({ metadata: { lastTurn: { status: 'completed' } } });
    const { rawTranscript, blocks } = session.getState();
    const read_ = parseTranscripts('claude-agent-sdk', { main: rawTranscript });
    expect(blocks).toEqual(read_.blocks);
  });

  it('keeps what the program writes when it ends', async () => {
    const { session, persistence } = await open();
    await read(session.sendMessage('one'));

    await session.destroy();

    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toContain('"cost-state"');
    expect(session.getState().metadata?.costUSD).toBe(0.5);
  });
});

describe('an agent in the background', () => {
  it('that ends between turns is told', async () => {
    const { session, bus } = await open();
    const done = nextEvent(
      bus,
      (event) =>
        event.type === 'block_update' &&
        'status' in event.updates &&
        event.updates.status === 'success',
    );
    await read(session.sendMessage('background'));
    expect(agentOf(session)).toMatchObject({ status: 'running', subagentId: 'bg1' });

    await done;

    expect(agentOf(session)).toMatchObject({ status: 'success', output: 'Seen' });
    expect(session.getState().subagents.map(({ id }) => id)).toEqual(['bg1']);
    await read(session.sendMessage('two'));
    expect(agentOf(session)).toMatchObject({ status: 'success', output: 'Seen' });
  });

  it('is not at work any more when the session was ended, now and when it is opened again', async () => {
    const { session, reopen } = await open({ environment: { FAKE_NEVER_DONE: '1' } });
    await read(session.sendMessage('background'));

    await session.destroy();

    expect(agentOf(session)).toMatchObject({ status: 'error', metadata: { interrupted: true } });
    expect(agentOf(await reopen())).toMatchObject({ status: 'error' });
  });
});

it('a tool whose program was killed is over, now and when the session is opened again', async () => {
  const { session, reopen } = await open();

  await read(session.sendMessage('kill'));

  const call = () => session.getState().blocks.find(({ type }) => type === 'tool_use');
  expect(call()).toMatchObject({ status: 'error' });
  await session.destroy();
  expect(call()).toMatchObject({ status: 'error' });
  const again = await reopen();
  expect(again.getState().blocks.find(({ type }) => type === 'tool_use')).toMatchObject({
    status: 'error',
  });
});

describe('a second opener', () => {
  it('in another process is refused, and may follow or fork', async () => {
    const { session, home, root, options } = await open();
    await read(session.sendMessage('one'));
    const other = new FileTranscriptPersistence(join(root, 'sessions'));
    const create = (chosen: AgentSessionOptions) =>
      AgentSession.create(chosen, { home }, new EventEmitter(), other);

    await expect(create({ ...options, sessionId: session.sessionId })).rejects.toMatchObject({
      code: 'session_locked',
      pid: process.pid,
    });

    const followed = followTranscript('claude-agent-sdk', fileOf(session, home));
    onTestFinished(() => followed.stop());
    await followed.opened;
    const fork = await create({ ...options, forkOf: session.sessionId });
    onTestFinished(() => fork.destroy());
    await read(fork.sendMessage('two'));
    expect(followed.conversation?.blocks).toHaveLength(2);
    expect(texts(fork)).toEqual(['one', 'Answer to one', 'two', 'Answer to two']);
    expect(texts(session)).toEqual(['one', 'Answer to one']);
  });

  it('is let in once the first has ended', async () => {
    const { session, reopen } = await open();
    await session.destroy();

    await expect(reopen()).resolves.toBeDefined();
  });
});

describe.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('a host that is ended by %s', (signal) => {
  it('leaves no program, no shell and no session that is called active', async () => {
    const root = temporaryFolder();
    const host = spawn(
      process.execPath,
      [
        ...['--conditions=robota-source', '--import', 'tsx'],
        ...[join(import.meta.dirname, 'host-process.ts'), root, fakeAgent('claude').command],
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(host.stdout, 'data');
    expect(processesOf(join(root, 'home')).length).toBeGreaterThan(1);

    host.kill(signal);
    await once(host, 'exit');

    await until(async () => processesOf(join(root, 'home')).length === 0);
    const persistence = new FileTranscriptPersistence(join(root, 'sessions'));
    expect((await persistence.listAllSessions())[0]?.status).toBe('inactive');
    const session = await AgentSession.create(
      { sessionId: 'hosted', program: fakeAgent('claude') },
      { home: new LocalAgentHome({ root }) },
      new EventEmitter(),
      persistence,
    );
    onTestFinished(() => session.destroy());
    await read(session.sendMessage('two'));
    expect(texts(session).at(-1)).toBe('Answer to two');
  });
});

async function open(more: Partial<AgentSessionOptions> = {}) {
  const root = temporaryFolder();
  const home = new LocalAgentHome({ root });
  const bus = new EventEmitter();
  const persistence = new FileTranscriptPersistence(join(root, 'sessions'));
  const options = { program: fakeAgent('claude'), ...more };
  const create = async (chosen: AgentSessionOptions) => {
    const session = await AgentSession.create(chosen, { home }, bus, persistence);
    onTestFinished(() => session.destroy());
    return session;
  };
  const fresh = { architecture: 'claude-agent-sdk', agentProfileRef: 'none', ...options };
  const session = await create(fresh as AgentSessionOptions);
  HOMES.set(session, home);
  const reopen = () => create({ sessionId: session.sessionId, ...options });
  return { session, home, root, bus, persistence, options, reopen };
}

const HOMES = new WeakMap<AgentSession, LocalAgentHome>();

function fileOf(session: AgentSession, home: LocalAgentHome): string {
  const project = home.workspaceDirectory.replace(/[^A-Za-z0-9]/g, '-');
  return join(home.homeDirectory, '.claude/projects', project, `${session.sessionId}.jsonl`);
}

/** What somebody does in the program itself. */
function appendLine(session: AgentSession, said: { uuid: string; content: string }): void {
  const home = HOMES.get(session);
  if (home === undefined) throw new Error('This session has no home');
  const blocks = session.getState().rawTranscript?.trim().split('\n') ?? [];
  const last = blocks
    .map((line) => JSON.parse(line) as { uuid?: string })
    .findLast(({ uuid }) => uuid);
  const line = {
    type: 'user',
    uuid: said.uuid,
    parentUuid: last?.uuid,
    sessionId: session.sessionId,
    cwd: '/w',
    timestamp: new Date().toISOString(),
    message: { role: 'user', content: said.content },
  };
  appendFileSync(fileOf(session, home), `${JSON.stringify(line)}\n`);
}

async function read(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function texts(session: AgentSession): string[] {
  return session.getState().blocks.flatMap((block) => {
    if (block.type !== 'user_message' && block.type !== 'assistant_text') return [];
    return [typeof block.content === 'string' ? block.content : JSON.stringify(block.content)];
  });
}

function agentOf(session: AgentSession): ConversationBlock | undefined {
  return session.getState().blocks.find(({ type }) => type === 'subagent');
}

function nextEvent(bus: EventEmitter, isWanted: (event: StreamEvent) => boolean): Promise<void> {
  return new Promise((resolve) => {
    bus.on('stream_event', (event: StreamEvent) => {
      if (isWanted(event)) resolve();
    });
  });
}

/** Looks again until it is so; the test's own time limit ends it otherwise. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10);
}
