import { mkdtempSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RemoteSession } from '@robota-sdk/agent-transport/client';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { FAKE_PROGRAMS, fakeProgram } from '../../../packages/sdk/test/live/fake-programs.ts';
import {
  findPostgres,
  findRedis,
  reportMissing,
} from '../../../packages/store/test/databases/servers.ts';
import { nameAcpAgent } from './doors/robota-door.ts';
import { createDatabase, type ServedNode, serveNode } from './support/archive-nodes.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';
import { installFakePrograms } from './support/served.ts';

const server = await findPostgres();
const redis = await findRedis();
const SLOW = 120_000;
const WAIT = { timeout: 30_000, interval: 50 };

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('agents on nodes', () => it.todo('are not driven without a server'));
} else {
  afterAll(async () => {
    await server.stop();
    await redis?.stop();
  });

  /** Machines that share a project and a database, each with a home and programs of its own. */
  async function nodes(place: Place, archive: string, args: readonly string[] = []) {
    const started: ServedNode[] = [];
    for (const name of ['one', 'two', 'three']) {
      const home = mkdtempSync(join(dirname(place.home), `home-${name}-`));
      const machine = { ...place, home };
      nameAcpAgent(machine, 'fake', ['node', fakeProgram('acp').command]);
      const env = installFakePrograms(machine);
      started.push(await serveNode(machine, { archive, name, args, env }));
    }
    return started as [ServedNode, ServedNode, ServedNode];
  }

  /** The session as surfaces of each node show it. */
  async function open(id: string, ...all: readonly ServedNode[]): Promise<RemoteSession[]> {
    const sessions = all.map((node) => node.server.openSession(id));
    await Promise.all(sessions.map((session) => session.whenReady()));
    return sessions;
  }

  /** Whichever node saw the first prompt first runs its program. */
  async function driverOf(place: Place, archive: string): Promise<string> {
    const stats = await runRobota(place, ['archive', 'stats', '--json', '--archive', archive]);
    const { nodes: known } = JSON.parse(stats.stdout) as {
      nodes: readonly { readonly name: string; readonly sessions: number }[];
    };
    return known.find(({ sessions }) => sessions === 1)?.name ?? '';
  }

  const ACP = { name: 'acp:fake', hanging: 'wait' } as const;

  describe.each([...FAKE_PROGRAMS, ACP])('$name, driven by one of three nodes', (program) => {
    const { name: agent, hanging } = program;

    it('is asked, answered, stopped and seen from the others, and ends honestly when its node is killed', {
      timeout: SLOW,
    }, async () => {
      using place = createPlace();
      await using archive = await createDatabase(server.url);
      const all = await nodes(place, archive.url);
      const id = await all[0].server.createSession({ agent, name: 'Shared' });
      const [asking] = (await open(id, all[0])) as [RemoteSession];
      expect(await asking.submit('alpha')).toMatchObject({ status: 'completed' });
      asking.close();
      const drives = await driverOf(place, archive.url);
      const [two, three] = all.filter(({ name }) => name !== drives) as [ServedNode, ServedNode];
      const one = all.find(({ name }) => name === drives) ?? all[0];
      const [here, there, third] = (await open(id, one, two, three)) as Three;

      expect(await there.submit('beta')).toMatchObject({ status: 'completed' });
      expect(promptsOf(there)).toEqual(['alpha', 'beta']);
      await same(here, there, third);
      expect(there.getCapabilities()).toEqual(here.getCapabilities());

      const asked = new Promise<string>((resolve) =>
        there.on('question', (one) => resolve(one.id)),
      );
      const turn = here.submit('ask');
      expect(await there.answer(await asked, 'allow')).toBe(true);
      expect(await turn).toMatchObject({ status: 'completed' });

      const held = there.submit(hanging);
      await vi.waitFor(() => expect(pidsIn(third)).toHaveLength(1), WAIT);
      await third.abort();
      expect(await held).toMatchObject({ status: 'interrupted' });
      await same(here, there, third);

      const cut = there.submit(hanging);
      await vi.waitFor(() => expect(pidsIn(third)).toHaveLength(2), WAIT);
      await one.end('SIGKILL');
      expect(await cut).toMatchObject({ status: 'failed' });
      await same(there, third);
      expect(there.isExecuting()).toBe(false);
      expect(openCallsIn(there)).toEqual([]);
      // Nothing of its program is left on the machine that was killed.
      await vi.waitFor(() => expect(pidsIn(third).filter(isAlive)).toEqual([]), WAIT);

      const after = await third.submit('gamma');
      if (agent === 'acp:fake') {
        // The agent keeps its sessions on the machine where they began.
        expect(after).toMatchObject({
          status: 'failed',
          error: { message: expect.stringContaining('begin a new one') },
        });
      } else {
        expect(after).toMatchObject({ status: 'completed' });
        expect(promptsOf(there).at(-1)).toBe('gamma');
      }
      await same(there, third);
      for (const session of [here, there, third]) session.close();
      const check = await runRobota(place, ['archive', 'check', '--archive', archive.url]);
      expect(check.stdout).toContain('no problems found');
      expect((await two.end('SIGTERM')).code).toBe(0);
      expect((await three.end('SIGTERM')).code).toBe(0);
    });
  });

  it.skipIf(redis === undefined)(
    'works with a store in Redis that all nodes share',
    {
      timeout: SLOW,
    },
    async () => {
      using place = createPlace();
      await using archive = await createDatabase(server.url);
      const store = ['--store', redis?.url ?? ''];
      const [one, two, three] = await nodes(place, archive.url, store);
      const id = await one.server.createSession({ agent: 'codex' });
      const [here, there] = (await open(id, one, two)) as [RemoteSession, RemoteSession];

      expect(await here.submit('alpha')).toMatchObject({ status: 'completed' });
      expect(await there.submit('beta')).toMatchObject({ status: 'completed' });
      await one.end('SIGTERM');
      expect(await there.submit('gamma')).toMatchObject({ status: 'completed' });

      expect(promptsOf(there)).toEqual(['alpha', 'beta', 'gamma']);
      await vi.waitFor(async () => {
        const { sessions } = await three.server.listSessions();
        expect(sessions).toMatchObject([{ id, agent: 'codex', access: 'drive' }]);
      }, WAIT);
      there.close();
      here.close();
      await three.server.deleteSession(id);
      const stats = await runRobota(place, [
        'archive',
        'stats',
        '--json',
        '--archive',
        archive.url,
      ]);
      expect(JSON.parse(stats.stdout)).toMatchObject({ sessions: 0 });
      await two.end('SIGTERM');
      await three.end('SIGTERM');
    },
  );
}

type Three = [RemoteSession, RemoteSession, RemoteSession];

function promptsOf(session: RemoteSession): string[] {
  const { blocks } = session.getConversation();
  return blocks.flatMap((block) => (block.type === 'user_message' ? [String(block.content)] : []));
}

/** Every surface shows the same, word for word. */
function same(first: RemoteSession, ...others: readonly RemoteSession[]): Promise<void> {
  return vi.waitFor(() => {
    for (const other of others) expect(other.getConversation()).toEqual(first.getConversation());
  }, WAIT);
}

/** Hanging programs say which processes they are. */
function pidsIn(session: RemoteSession): number[] {
  const texts = session
    .getConversation()
    .blocks.flatMap((block) => (block.type === 'assistant_text' ? [block.content] : []));
  return texts.flatMap((text) => {
    const pid = /(?:waiting|of) (\d+)$/.exec(text)?.[1];
    return pid === undefined ? [] : [Number(pid)];
  });
}

function openCallsIn(session: RemoteSession): string[] {
  const { blocks } = session.getConversation();
  return blocks.flatMap((block) =>
    block.type === 'tool_use' && (block.status === 'pending' || block.status === 'running')
      ? [block.id]
      : [],
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
