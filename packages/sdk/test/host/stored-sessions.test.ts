import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import {
  createProjectSessionStore,
  openAgentPlace,
  openHostStore,
  SessionHost,
  type SessionHostOptions,
  sweepEvery,
} from '@robota-sdk/agent-sdk';
import { createSessionStore, InMemorySessionStoreAdapter } from '@robota-sdk/agent-store';
import { openSessionStore } from '@robota-sdk/agent-store/open';
import { expect, it, onTestFinished } from 'vitest';
import { fakeProgram } from '../live/fake-programs.ts';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();

it.each(['memory:', 'sqlite:'])(
  'answers every first message of one user in one session (%s)',
  async (url) => {
    const store = await openSessionStore(
      url === 'memory:' ? url : `${url}${join(place.home, 's.db')}`,
    );
    onTestFinished(() => store.close());
    const host = newHost({ store });
    const ask = async (index: number) => {
      const surfaceId = index % 2 ? 'slack:C1' : 'telegram:9';
      const session = await host.sessionFor({ userId: 'ada', surfaceId });
      const text = `hello ${index}`;
      const { outcome } = await host.submit(session.sessionId, text, { user: 'ada' });
      return [session.sessionId, (await outcome).status];
    };

    const answers = await Promise.all([1, 2, 3, 4, 5].map(ask));

    expect(new Set(answers.map(([id]) => id)).size).toBe(1);
    expect(answers.map(([, status]) => status)).toEqual(Array(5).fill('completed'));
    const [stored] = await store.find({ userId: 'ada' });
    expect(stored?.attachedSurfaces.toSorted()).toEqual(['slack:C1', 'telegram:9']);
    expect(stored?.state).toBe('active');
  },
);

it('answers a prompt of long ago again, without holding every conversation that it answered', async () => {
  const host = newHost();
  const { sessionId } = await host.create();
  for (let index = 0; index < 12; index++) {
    await (await host.submit(sessionId, `say ${index}`, { messageId: `m${index}` })).outcome;
  }

  const [old, recent] = await Promise.all(
    [0, 11].map((index) => host.submit(sessionId, `say ${index}`, { messageId: `m${index}` })),
  );
  const results = await Promise.all([old?.outcome, recent?.outcome]);

  expect([old?.isRepeat, recent?.isRepeat]).toEqual([true, true]);
  expect(results.map((result) => result?.status)).toEqual(['completed', 'completed']);
  expect(
    results.map((result) => result && 'result' in result && result.result.history.length > 0),
  ).toEqual([false, true]);
});

it('lets idle sessions go and brings them back on the next word', async () => {
  const host = newHost();
  const closed: string[] = [];
  host.onClose((_session, reason) => closed.push(reason));
  const session = await host.sessionFor({ userId: 'ada', surfaceId: 'slack:C1' });
  await (await host.submit(session.sessionId, 'first')).outcome;

  await sweepAll(host);
  const isGone = host.get(session.sessionId) === undefined;
  const states = (await host.list()).map(({ id, state, isLive }) => ({ id, state, isLive }));
  const again = await host.sessionFor({ userId: 'ada', surfaceId: 'slack:C1' });
  await (await host.submit(again.sessionId, 'second')).outcome;

  expect(isGone).toBe(true);
  expect(closed).toEqual(['idle']);
  expect(states).toEqual([{ id: session.sessionId, state: 'suspended', isLive: false }]);
  expect(again.sessionId).toBe(session.sessionId);
  expect(promptsOf(again)).toEqual(['first', 'second']);
});

it('lets go of a session that nobody has asked anything, and brings it back', async () => {
  const host = newHost();
  const { sessionId } = await host.create({ sessionName: 'Blue' });

  await sweepAll(host);
  const isGone = host.get(sessionId) === undefined;
  await host.open(sessionId);
  await (await host.submit(sessionId, 'hello')).outcome;

  expect(isGone).toBe(true);
  expect(promptsOf(await host.open(sessionId))).toEqual(['hello']);
});

it('keeps what works, and what somebody is connected to', async () => {
  const host = newHost({ detachAfterMs: 0 });
  const working = await host.create();
  const watched = await host.create();
  const asked = await host.submit(working.sessionId, 'wait');
  await (await host.submit(watched.sessionId, 'hello')).outcome;
  const leave = host.connectSurface(watched.sessionId, 'page:1');

  await sweepAll(host);
  const kept = [working, watched].map(({ sessionId }) => host.get(sessionId) !== undefined);
  leave();
  await working.abort();
  await sweepAll(host);

  expect(kept).toEqual([true, true]);
  expect((await asked.outcome).status).toBe('interrupted');
  expect(host.get(watched.sessionId)).toBeUndefined();
});

it('attaches surfaces while they are connected', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const host = newHost({ store, node: 'n1' });
  const { sessionId } = await host.create();
  const leave = [host.connectSurface(sessionId, 'page:1'), host.connectSurface(sessionId)];
  await settled(async () => (await store.get(sessionId))?.attachedSurfaces.length === 2);

  expect((await store.get(sessionId))?.attachedSurfaces).toEqual(['page:1', 'live:n1:2']);

  for (const go of leave) go();
  await host.closeAll();
  expect((await store.get(sessionId))?.attachedSurfaces).toEqual([]);
});

it('loses no prompt that was acknowledged when the server ends, and asks none twice', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const first = newHost({ store, node: 'n1' });
  const running = await first.create();
  const { sessionId } = running;
  first.connectSurface(sessionId);
  await first.submit(sessionId, 'wait', { messageId: 'm1', user: 'ada' });
  await settled(async () => running.getConversation().blocks.length > 0);
  await first.submit(sessionId, 'second', { messageId: 'm2', user: 'grace' });
  await first.closeAll('other');

  const next = newHost({ store, node: 'n1' });
  await next.restore();
  const session = await next.open(sessionId);
  const repeated = await next.submit(sessionId, 'second', { messageId: 'm2' });
  const cutOff = await next.submit(sessionId, 'wait', { messageId: 'm1' });

  expect(await repeated.outcome).toMatchObject({ result: { response: 'You said second' } });
  expect([repeated.isRepeat, cutOff.isRepeat]).toEqual([true, true]);
  expect((await cutOff.outcome).status).toBe('interrupted');
  expect(promptsOf(session)).toEqual(['wait', 'second']);
  expect((await store.get(sessionId))?.attachedSurfaces).toEqual([]);
  const other = await next.submit(sessionId, 'other words', { messageId: 'm2' });
  await expect(other.outcome).rejects.toMatchObject({ code: 'message_id_reused' });
});

it('asks nothing twice that stands in the log, when the server ended before it wrote that down', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const first = newHost({ store, node: 'n1' });
  const { sessionId } = await first.create();
  await (await first.submit(sessionId, 'once', { messageId: 'm1' })).outcome;
  await first.closeAll('other');
  const waiting = { id: 'm1', text: 'once', status: 'waiting', at: Date.now() };
  await store.updateMetadata(sessionId, { prompts: [waiting] });

  const next = newHost({ store, node: 'n1' });
  const session = await next.open(sessionId);
  const { isRepeat, outcome } = await next.submit(sessionId, 'once', { messageId: 'm1' });

  expect([isRepeat, (await outcome).status]).toEqual([true, 'interrupted']);
  expect(promptsOf(session)).toEqual(['once']);
});

it('asks in the next life what was acknowledged and did not reach the conversation', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const first = newHost({ store, node: 'n1' });
  const { sessionId } = await first.create();
  await first.submit(sessionId, 'hello', { messageId: 'm1' });
  await first.closeAll('other');

  const next = newHost({ store, node: 'n1' });
  await next.restore();
  const { outcome } = await next.submit(sessionId, 'hello', { messageId: 'm1' });

  expect(await outcome).toMatchObject({ result: { response: 'You said hello' } });
  expect(promptsOf(await next.open(sessionId))).toEqual(['hello']);
});

const SECRET = `sk-ant-api03-${'a1B2c3D4'.repeat(11)}`;

it('stores no secret of a prompt, an answer or a name, and sends a waiting prompt as it was', async () => {
  const file = join(place.home, 's.db');
  const store = await openSessionStore(`sqlite:${file}`);
  const first = newHost({ store, node: 'n1' });
  const running = await first.create({ sessionName: `Key ${SECRET}` });
  const { sessionId } = running;
  await (await first.submit(sessionId, `say ${SECRET}`, { messageId: 'm0' })).outcome;
  await first.submit(sessionId, 'wait', { messageId: 'm1' });
  await settled(async () => running.getConversation().blocks.length > 2);
  const parts = [{ type: 'image_inline', mimeType: 'image/png', data: 'AAAA' }] as const;
  await first.submit(sessionId, `then ${SECRET}`, { messageId: 'm2', parts });
  await first.closeAll('other');
  const files = [file, `${file}-wal`].filter((each) => existsSync(each));
  const stored = files.map((each) => readFileSync(each, 'latin1')).join('');
  expect(stored).toContain(sessionId);
  expect(stored).not.toContain(SECRET.slice(0, 30));
  expect(statSync(join(place.home, '.robota/prompts.vault')).mode & 0o777).toBe(0o600);

  const next = newHost({ store, node: 'n1' });
  onTestFinished(() => store.close());
  await next.restore();
  const repeated = await next.submit(sessionId, `then ${SECRET}`, { messageId: 'm2', parts });
  const other = await next.submit(sessionId, `then ${SECRET}`, { messageId: 'm2' });
  const done = await next.submit(sessionId, `say ${SECRET}`, { messageId: 'm0' });

  expect(await repeated.outcome).toMatchObject({ result: { response: `You said then ${SECRET}` } });
  await expect(other.outcome).rejects.toMatchObject({ code: 'message_id_reused' });
  expect([done.isRepeat, await done.outcome]).toMatchObject([
    true,
    {
      status: 'completed',
      result: { response: expect.stringContaining('You said say [REDACTED') },
    },
  ]);
});

it('reports a waiting prompt as interrupted when the key of this machine is gone', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const first = newHost({ store, node: 'n1' });
  const { sessionId } = await first.create();
  await first.submit(sessionId, 'hello', { messageId: 'm1' });
  await first.closeAll('other');
  rmSync(join(place.home, '.robota/prompts.vault'));

  const next = newHost({ store, node: 'n1' });
  await next.restore();
  const session = await next.open(sessionId);
  await (await next.submit(sessionId, 'after', { messageId: 'm2' })).outcome;

  expect(promptsOf(session)).toEqual(['after']);
});

it('brings a session of another agent back where it was, by its card', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-host-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  const openPlace = ({ agent, cwd }: { agent: string; cwd: string }) =>
    openAgentPlace({
      cwd,
      homeDirectory: join(root, 'home'),
      directory: join(root, 'agents'),
      program: fakeProgram(agent),
    });
  mkdirSync(join(root, 'project'));
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const first = newHost({ store, openPlace });
  const created = await first.create({
    agent: 'codex',
    cwd: join(root, 'project'),
    sessionName: 'Blue',
  });
  await (await first.submit(created.sessionId, 'one')).outcome;
  const shown = created.getConversation().blocks.map(({ id }) => id);
  await first.closeAll();

  const next = newHost({ store, openPlace });
  const listed = await next.list();
  const back = await next.open(created.sessionId);

  expect(listed).toMatchObject([
    {
      id: created.sessionId,
      agent: 'codex',
      name: 'Blue',
      cwd: join(root, 'project'),
      isLive: false,
    },
  ]);
  expect(listed[0]?.nativeId).toBe(back.nativeId);
  expect(back.agent).toBe('codex');
  expect(back.getCwd()).toBe(join(root, 'project'));
  expect(back.getConversation().blocks.map(({ id }) => id)).toEqual(shown);
  await (await next.submit(back.sessionId, 'two')).outcome;
  expect(promptsOf(back)).toEqual(['one', 'two']);
});

it('refuses agents that nobody has, and those that can only be followed', async () => {
  const host = newHost();

  await expect(host.create({ agent: 'nobody' })).rejects.toMatchObject({ code: 'unknown_agent' });
  await expect(host.create({ agent: 'pi' })).rejects.toMatchObject({ code: 'not_supported' });
  await expect(host.create({ profile: 'none' })).rejects.toMatchObject({ code: 'unknown_profile' });
});

it.each(['robota', 'claude'])(
  'begins a session of %s only where there is a directory',
  async (agent) => {
    const host = newHost();
    const missing = join(place.project, 'missing');

    await expect(host.create({ agent, cwd: missing })).rejects.toMatchObject({
      code: 'invalid_cwd',
    });
    await expect(host.create({ agent, cwd: 'missing' })).rejects.toThrow(missing);

    expect(existsSync(missing)).toBe(false);
    expect(host.live()).toEqual([]);
  },
);

it('gives a session of another agent the profile that its name stands for, and knows no others', async () => {
  const asked: string[] = [];
  const loadProfile = async (name: string) => {
    asked.push(name);
    return name === 'careful' ? { id: 'p1', name, agentMDFile: 'Be careful.' } : null;
  };
  const without = newHost();
  const host = newHost({ loadProfile });

  const unknown = { code: 'unknown_profile' };
  await expect(without.create({ agent: 'claude', profile: 'careful' })).rejects.toMatchObject(
    unknown,
  );
  await expect(host.create({ agent: 'claude', profile: 'none' })).rejects.toMatchObject(unknown);
  const { sessionId } = await host.create({ agent: 'claude', profile: 'careful' });

  await host.get(sessionId)?.whenReady();
  await host.closeAll();
  expect(asked).toEqual(['none', 'careful', 'careful']);
});

it('forgets surfaces of a life that ended unless they come back, and keeps those that send messages', async () => {
  const store = createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
  const first = newHost({ store, node: 'n1' });
  const { sessionId } = await first.sessionFor({ userId: 'ada', surfaceId: 'slack:C1' });
  const listening = first.connectSurface(sessionId, 'slack:C1');
  for (const surface of ['page:1', 'terminal:2', undefined])
    first.connectSurface(sessionId, surface);
  const surfaces = async () => (await store.get(sessionId))?.attachedSurfaces;
  await settled(async () => (await surfaces())?.length === 4);

  // The first server is never closed: it crashed.
  const next = newHost({ store, node: 'n1', detachAfterMs: 0 });
  next.connectSurface(sessionId, 'page:1');
  await next.restore();
  await settled(async () => (await surfaces())?.length === 2);
  listening();
  await first.closeAll();

  expect(await surfaces()).toEqual(['slack:C1', 'page:1']);
});

it("keeps a server's store in a file below our home unless told otherwise", async () => {
  const first = await openHostStore();
  await first.create({ id: 'a', userId: 'ada' });
  await first.close();
  const second = await openHostStore();
  const other = await openHostStore('memory:');
  onTestFinished(async () => {
    await second.close();
    await other.close();
  });

  expect(await second.get('a')).toMatchObject({ userId: 'ada' });
  expect(await other.get('a')).toBeNull();
});

it('sweeps again after a failure, and not after it was stopped', async () => {
  const errors: unknown[] = [];
  let sweeps = 0;
  const failing = {
    async sweep() {
      sweeps += 1;
      throw new Error('no store');
    },
  };
  const sweeping = sweepEvery(failing, { intervalMs: 1, onError: (error) => errors.push(error) });
  await settled(async () => sweeps >= 2);
  await sweeping.stop();
  const count = sweeps;
  await new Promise((resolve) => setImmediate(resolve));

  expect(errors.length).toBe(count);
  expect(sweeps).toBe(count);
});

it('ends a session for good', async () => {
  const host = newHost();
  const { sessionId } = await host.create();

  await host.remove(sessionId);

  await expect(host.open(sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
  expect(await host.list()).toEqual([]);
});

function newHost(options: Partial<SessionHostOptions> = {}): SessionHost {
  const host = new SessionHost({
    ...options,
    defaults: {
      cwd: place.project,
      provider: echo(),
      bare: true,
      sessionStore: createProjectSessionStore(place.project),
    },
  });
  onTestFinished(() => host.closeAll());
  return host;
}

function promptsOf(session: {
  getConversation(): { blocks: readonly { type: string; content?: unknown }[] };
}) {
  const { blocks } = session.getConversation();
  return blocks.flatMap(({ type, content }) => (type === 'user_message' ? [content] : []));
}

/** Whatever was touched before is silent now. */
async function sweepAll(host: SessionHost): Promise<void> {
  const start = Date.now();
  await settled(async () => Date.now() > start + 1);
  await host.sweep(0);
}

async function settled(isDone: () => Promise<boolean>): Promise<void> {
  while (!(await isDone())) await new Promise((resolve) => setImmediate(resolve));
}

function echo(): Provider {
  return {
    name: 'echo',
    async chat(messages, { signal } = {}) {
      const prompt = String(messages.findLast(({ role }) => role === 'user')?.content ?? '');
      if (prompt === 'wait') {
        await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()));
        return { ...createAssistantMessage('You said '), state: 'interrupted' };
      }
      return createAssistantMessage(`You said ${prompt}`);
    },
  };
}
