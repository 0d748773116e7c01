import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
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
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { bundleProgram } from '../../../../test/bundle-program.ts';
import { fakeAgent, processesOf, temporaryFolder } from '../drivers/temporary-home.ts';

const { file: program, remove } = await bundleProgram(join(import.meta.dirname, 'host-process.ts'));
afterAll(remove);

describe('a session', () => {
  it('shows what was done in the program itself when it is reopened', async () => {
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

  it('emits and saves what is done in the program while it is open', async () => {
    const { session, bus, persistence } = await open();
    await read(session.sendMessage('one'));
    const emitted = nextEvent(bus, (event) =>
      JSON.stringify(event).includes('Said in the program'),
    );
    appendLine(session, { uuid: 'u9', content: 'Said in the program' });

    await emitted;

    expect(texts(session)).toEqual(['one', 'Answer to one', 'Said in the program']);
    await until(async () => {
      const saved = await persistence.loadSession(session.sessionId);
      return saved?.rawTranscript?.includes('Said in the program') === true;
    });
  });

  it('starts a turn from the current transcript on disk', async () => {
    const { session, bus } = await open();
    await read(session.sendMessage('one'));
    const emitted: string[] = [];
    bus.on('stream_event', (event: StreamEvent) => {
      if (event.type === 'block_complete') emitted.push(JSON.stringify(event.block));
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
    // Emitted by the watch before the turn, or else as the first of its events.
    expect(emitted[0]).toContain('Said in the program');
  });

  it('is saved completely when the last event is read, although the program writes late', async () => {
    const { session, persistence } = await open({ environment: { FAKE_FLUSH_MS: '120' } });

    const events = await read(session.sendMessage('one'));

    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toContain('Answer to one');
    expect(events.at(-1)).toMatchObject({ metadata: { lastTurn: { status: 'completed' } } });
    const { rawTranscript, blocks } = session.getState();
    const read_ = parseTranscripts('claude-agent-sdk', { main: rawTranscript });
    expect(blocks).toEqual(read_.blocks);
  });

  it('saves what the program writes on exit', async () => {
    const { session, persistence } = await open();
    await read(session.sendMessage('one'));

    await session.destroy();

    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toContain('"cost-state"');
    expect(session.getState().metadata?.costUSD).toBe(0.5);
  });
});

describe('a background agent', () => {
  it('is reported when it ends between turns', async () => {
    const doneFile = join(temporaryFolder(), 'done');
    const { session, bus } = await open({ environment: { FAKE_DONE_FILE: doneFile } });
    const done = nextEvent(
      bus,
      (event) =>
        event.type === 'block_update' &&
        'status' in event.updates &&
        event.updates.status === 'success',
    );
    await read(session.sendMessage('background'));
    expect(agentOf(session)).toMatchObject({ status: 'running', subagentId: 'bg1' });

    writeFileSync(doneFile, '');
    await done;

    expect(agentOf(session)).toMatchObject({ status: 'success', output: 'Seen' });
    expect(session.getState().subagents.map(({ id }) => id)).toEqual(['bg1']);
    await read(session.sendMessage('two'));
    expect(agentOf(session)).toMatchObject({ status: 'success', output: 'Seen' });
  });

  it('is not running any more after the session ended, also when it is reopened', async () => {
    const { session, reopen } = await open();
    await read(session.sendMessage('background'));

    await session.destroy();

    expect(agentOf(session)).toMatchObject({ status: 'error', metadata: { interrupted: true } });
    expect(agentOf(await reopen())).toMatchObject({ status: 'error' });
  });
});

it('ends the tools of a killed program, also when the session is reopened', async () => {
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
  it('in another process is rejected, but may follow or fork', async () => {
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

  it('succeeds once the first has closed', async () => {
    const { session, reopen } = await open();
    await session.destroy();

    await expect(reopen()).resolves.toBeDefined();
  });
});

describe.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)('a host ended by %s', (signal) => {
  it('leaves no program, no shell and no active session', async () => {
    const root = temporaryFolder();
    const host = spawn(process.execPath, [program, root, fakeAgent('claude').command], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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

/** A prompt typed in the program itself. */
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

/** Polls until the condition holds; the test's time limit ends it otherwise. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await wait(10);
}
