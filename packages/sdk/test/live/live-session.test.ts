import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
import { echo } from './echo-provider.ts';
import { FAKE_PROGRAMS, fakePlace } from './fake-programs.ts';

describeLiveSession('our own engine', async () => {
  const session = engine();
  return { session, asking: 'touch', hanging: 'wait', heardText: text(session) };
});
describeSessionView('our own engine', async () => {
  const view = engine();
  return { view, happen: async () => void (await view.submit('hello')) };
});

const ACP = { name: 'acp', type: 'acp:qwen', hanging: 'wait' };
for (const { name, type, hanging } of [...FAKE_PROGRAMS, ACP]) {
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

it.each(FAKE_PROGRAMS)(
  'stops $name at whatever moment it is told to',
  { timeout: 60_000 },
  async (program) => {
    const { session } = await agent(program.name, program.type);
    await session.submit('one');
    const statuses: string[] = [];

    for (let steps = 0; steps < 8; steps++) {
      const turn = session.submit(program.hanging);
      for (let step = 0; step < steps; step++) await Promise.resolve();
      await session.abort();
      statuses.push((await turn).status);
    }

    expect(statuses).toEqual(statuses.map(() => 'interrupted'));
  },
);

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

const PICTURE = { type: 'image_inline', mimeType: 'image/png', data: 'iVBORw0KGgo=' } as const;

it.each(FAKE_PROGRAMS)('sends images to the program of $name, and shows them', async (program) => {
  const { session } = await agent(program.name, program.type);

  const outcome = await session.submit('look', undefined, undefined, { parts: [PICTURE] });

  const source = { type: 'base64', data: PICTURE.data, mediaType: 'image/png' };
  const { blocks } = session.getConversation();
  expect(outcome.status).toBe('completed');
  expect(session.getCapabilities().images).toBe(true);
  expect(blocks.find(({ type }) => type === 'user_message')).toMatchObject({
    content: [
      { type: 'text', text: 'look' },
      { type: 'image', source },
    ],
  });
  expect(blocks.at(-1)).toMatchObject({ content: 'Answer to look with image/png' });
});

it('sends the words of a file that goes along', async () => {
  const { session } = await agent('claude', 'claude-agent-sdk');
  const attachments = [{ data: Buffer.from('words'), mimeType: 'text/plain', name: 'a.txt' }];

  await session.submit('look', undefined, undefined, { attachments });

  expect(session.getConversation().blocks.at(-1)).toMatchObject({
    content: expect.stringContaining('<file name="a.txt">\nwords'),
  });
});

it('refuses images that are somewhere else', async () => {
  const { session } = await agent('codex', 'codex');
  const parts = [{ type: 'image_uri', uri: 'https://e.org/a.png' }] as const;

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
