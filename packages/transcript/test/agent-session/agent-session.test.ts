import { EventEmitter } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import {
  AgentSession,
  AgentSessionBusyError,
  type AgentSessionContext,
  type AgentSessionOptions,
  MemoryTranscriptPersistence,
  registerAgentArchitecture,
  TranscriptConflictError,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it, onTestFinished } from 'vitest';
import { temporaryHome } from '../drivers/temporary-home.ts';
import {
  COMPLETED,
  type Script,
  ScriptedAdapter,
  textEvent,
  textLine,
} from './scripted-adapter.ts';

const NEW = { architecture: 'robota', agentProfileRef: 'none' } as const;

describe('an agent session', () => {
  it('sends the same events to its reader and the bus, and keeps the blocks', async () => {
    const { session, bus } = await open(says('one'));
    const heard: unknown[] = [];
    bus.on('stream_event', (event, source) => heard.push([event, source]));

    const events = await read(session.sendMessage('hello'));

    expect(events).toEqual([textEvent('u1', 'one'), COMPLETED]);
    expect(heard).toEqual(events.map((event) => [event, { sessionId: session.sessionId }]));
    expect(session.getState()).toMatchObject({
      status: 'active',
      rawTranscript: textLine('u1', 'one'),
      blocks: [{ id: 'u1', content: 'one' }],
      subagents: [],
      workspaceFiles: [],
    });
  });

  it('runs a turn without a reader', async () => {
    const { session, persistence } = await open(says('one'));

    await session.sendMessage('hello').ended;

    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toBe(textLine('u1', 'one'));
  });

  it('rejects a second message during a turn', async () => {
    const { session } = await open(says('one'));

    const first = session.sendMessage('hello');

    expect(() => session.sendMessage('again')).toThrow(AgentSessionBusyError);
    await read(first);
    await expect(read(session.sendMessage('now'))).resolves.toHaveLength(2);
  });

  it('treats a turn without an outcome as interrupted', async () => {
    const { session } = await open(async function* () {
      yield textEvent('u1', 'one');
    });

    await read(session.sendMessage('hello'));

    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
  });

  it('emits an error and throws it to the reader, then accepts messages again', async () => {
    let isBroken = true;
    const { session } = await open(async function* () {
      if (isBroken) throw new Error('no program');
      yield COMPLETED;
    });

    await expect(read(session.sendMessage('hello'))).rejects.toThrow('no program');
    expect(session.getState()).toMatchObject({
      status: 'failed',
      blocks: [{ type: 'system', subtype: 'error', message: 'no program' }],
    });
    isBroken = false;
    expect(await read(session.sendMessage('again'))).toEqual([COMPLETED]);
  });

  it('aborts the turn when the reader breaks out of the loop', async () => {
    let signal: AbortSignal | undefined;
    const { session } = await open(async function* (query) {
      signal = query.signal;
      yield textEvent('u1', 'one');
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    });

    for await (const _ of session.sendMessage('hello')) break;

    expect(signal?.aborted).toBe(true);
    expect(session.getState().metadata?.lastTurn).toMatchObject({ status: 'interrupted' });
  });

  it('starts a new session first and resumes it afterwards', async () => {
    const { session, adapters } = await open(says('one'));

    await read(session.sendMessage('a'));
    await read(session.sendMessage('b'));

    expect(adapters[0]?.queries.map(({ isNewSession }) => isNewSession)).toEqual([true, false]);
  });

  it('shares one session between concurrent opens', async () => {
    const { session, context, bus, persistence } = await open(says('one'));
    const { sessionId } = session;
    await session.destroy();

    const [one, other] = await Promise.all([
      AgentSession.create({ sessionId }, context, bus, persistence),
      AgentSession.create({ sessionId }, context, bus, persistence),
    ]);

    expect(one).toBe(other);
    expect(one).not.toBe(session);
  });

  it('rejects an unknown session', async () => {
    const { context, bus, persistence } = await open(says('one'));

    const loading = AgentSession.create({ sessionId: 'unknown' }, context, bus, persistence);

    await expect(loading).rejects.toMatchObject({ code: 'session_not_found' });
  });

  it('saves after each block, before the turn is over', async () => {
    const { session, persistence } = await open(async function* (_query, write) {
      write(textLine('u1', 'one'));
      yield textEvent('u1', 'one');
      for (;;) {
        const saved = await persistence.loadSession(session.sessionId);
        if (saved?.rawTranscript !== undefined) break;
        await new Promise((resolve) => setImmediate(resolve));
      }
      yield COMPLETED;
    });

    expect(await read(session.sendMessage('hello'))).toHaveLength(2);
  });

  it('never replaces saved data when the agent has lost or rewritten its transcript', async () => {
    const { session, persistence, home } = await open(says('one'));
    await read(session.sendMessage('hello'));
    const file = join(home.homeDirectory, 'transcripts', `${session.sessionId}.jsonl`);

    writeFileSync(file, '');
    await session.sync();
    writeFileSync(file, textLine('u9', 'something else entirely'));
    const rewritten = session.sync();

    await expect(rewritten).rejects.toThrow(TranscriptConflictError);
    const saved = await persistence.loadSession(session.sessionId);
    expect(saved?.rawTranscript).toBe(textLine('u1', 'one'));
  });

  it('restarts from the saved data when its home is lost', async () => {
    const { session, home } = await open(says('one'));
    await read(session.sendMessage('hello'));
    rmSync(home.homeDirectory, { recursive: true });
    expect(await session.isHealthy()).toBe(false);

    await read(session.sendMessage('again'));

    const file = join(home.homeDirectory, 'transcripts', `${session.sessionId}.jsonl`);
    expect(readFileSync(file, 'utf8').startsWith(textLine('u1', 'one'))).toBe(true);
    expect(await session.isHealthy()).toBe(true);
  });

  it('reports once that saving fails, and continues', async () => {
    const errors: Error[] = [];
    const { session, persistence } = await open(says('one'), { onError: (e) => errors.push(e) });
    persistence.appendTranscript = async () => {
      throw new Error('disk full');
    };

    const events = await read(session.sendMessage('hello'));

    const notices = events.filter((event) => JSON.stringify(event).includes('not being saved'));
    expect(notices).toHaveLength(1);
    expect(errors.map(({ message }) => message)).toContain('disk full');
  });

  it('continues when a bus listener throws', async () => {
    const errors: Error[] = [];
    const { session, bus } = await open(says('one'), { onError: (e) => errors.push(e) });
    bus.on('stream_event', () => {
      throw new Error('listener');
    });

    expect(await read(session.sendMessage('hello'))).toHaveLength(2);
    expect(errors[0]?.message).toBe('listener');
  });

  it('sets up the profile and writes missing default files', async () => {
    const { session, home } = await open(says('one'), {
      loadAgentProfile: async (id) => ({
        id,
        name: 'Profile',
        agentMDFile: '# Rules',
        defaultWorkspaceFiles: [{ path: 'notes/a.md', content: 'a' }],
      }),
    });

    await read(session.sendMessage('hello'));

    expect(readFileSync(join(home.homeDirectory, 'AGENT.md'), 'utf8')).toBe('# Rules');
    expect(readFileSync(join(home.workspaceDirectory, 'notes/a.md'), 'utf8')).toBe('a');
  });

  it('reports created, changed and deleted files', async () => {
    const { session, bus, home, persistence } = await open(async function* ({ query }) {
      const path = join(home.workspaceDirectory, 'a.txt');
      if (query === 'delete') rmSync(path);
      else writeFileSync(path, query);
      yield COMPLETED;
    });
    const changes: unknown[] = [];
    bus.on('workspace_change', (change) => changes.push(change));

    for (const query of ['first', 'second!', 'delete']) await read(session.sendMessage(query));

    expect(changes).toEqual([
      { kind: 'created', file: { path: 'a.txt', content: 'first' } },
      { kind: 'modified', file: { path: 'a.txt', content: 'second!' } },
      { kind: 'deleted', path: 'a.txt' },
    ]);
    expect((await persistence.loadSession(session.sessionId))?.workspaceFiles).toEqual([]);
  });

  it('ends with destroy and keeps the saved data', async () => {
    const { session, adapters, persistence } = await open(says('one'));
    await read(session.sendMessage('hello'));

    await session.destroy();
    await session.destroy();

    expect(adapters[0]?.closed).toBeGreaterThan(0);
    expect(() => session.sendMessage('more')).toThrow(/was destroyed/);
    expect(await persistence.loadSession(session.sessionId)).toMatchObject({ status: 'inactive' });
  });
});

function says(text: string): Script {
  return async function* ({ isNewSession }, write) {
    if (isNewSession) write(textLine('u1', text));
    yield textEvent('u1', text);
    yield COMPLETED;
  };
}

async function open(script: Script, more: Partial<AgentSessionContext> = {}) {
  const home = temporaryHome();
  const adapters: ScriptedAdapter[] = [];
  registerAgentArchitecture('robota', (setting) => {
    const adapter = new ScriptedAdapter(setting, script);
    adapters.push(adapter);
    return adapter;
  });
  const bus = new EventEmitter();
  const persistence = new MemoryTranscriptPersistence();
  const context = { home, ...more };
  const options: AgentSessionOptions = NEW;
  const session = await AgentSession.create(options, context, bus, persistence);
  onTestFinished(() => session.destroy().catch(() => undefined));
  return { session, home, adapters, bus, persistence, context };
}

async function read(events: AsyncIterable<StreamEvent>): Promise<StreamEvent[]> {
  const all: StreamEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
