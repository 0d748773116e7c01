import { afterAll, describe, expect, it, vi } from 'vitest';
import { findPostgres, reportMissing } from '../../../packages/store/test/databases/servers.ts';
import { createDatabase, type ServedNode, serveNode } from './support/archive-nodes.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';

const server = await findPostgres();
const SLOW = 120_000;

/** What a node answers; asked again until it says what is wanted, which another node may still have to write. */
async function ask({ url, token }: ServedNode, path: string, wanted = ''): Promise<string> {
  return vi.waitFor(
    async () => {
      const headers = { authorization: `Bearer ${token}` };
      const text = await (await fetch(`${url}${path}`, { headers })).text();
      expect(text).toContain(wanted);
      return text;
    },
    { timeout: 20_000, interval: 100 },
  );
}

function serve(place: Place, archive: string, name: string): Promise<ServedNode> {
  return serveNode(place, { archive, name });
}

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('robota on an archive', () => it.todo('does not run without a server'));
} else {
  afterAll(() => server.stop());

  const database = () => createDatabase(server.url);

  it('serves a session on any node, and goes on when the one that ran it is killed', {
    timeout: SLOW,
  }, async () => {
    using place = createPlace();
    await using archive = await database();
    const [one, two] = [
      await serve(place, archive.url, 'one'),
      await serve(place, archive.url, 'two'),
    ];
    expect((await fetch(`${one.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${one.url}/readyz`)).text()).toBe('ready\n');

    const id = await one.server.createSession({ name: 'Shared' });
    const first = one.server.openSession(id);
    await first.whenReady();
    expect(await first.submit('Hello there')).toMatchObject({ status: 'completed' });
    first.close();
    await one.end('SIGKILL');
    const second = two.server.openSession(id);
    await second.whenReady();
    expect(await second.submit('And again')).toMatchObject({ status: 'completed' });
    second.close();

    await vi.waitFor(
      async () => {
        const args = ['archive', 'stats', '--json', '--archive', archive.url];
        const stats = await runRobota(place, args);
        expect(JSON.parse(stats.stdout)).toMatchObject({ sessions: 1, nodes: [{ name: 'two' }] });
      },
      { timeout: 20_000, interval: 100 },
    );
    const check = await runRobota(place, ['archive', 'check', '--archive', archive.url]);
    expect(check).toMatchObject({ code: 0, stdout: '1 session(s) checked: no problems found.\n' });
    expect((await two.end('SIGTERM')).code).toBe(0);

    const out = await runRobota(place, ['archive', 'export', '--archive', archive.url]);
    expect(out.stdout).toContain('1 of 1 session(s) copied.');
    const shown = await runRobota(place, ['sessions', 'show', id]);
    expect(shown.stdout).toContain('And again');
  });

  it('lists, finds, counts and resolves sessions of all nodes on every node, and says where they run', {
    timeout: SLOW,
  }, async () => {
    using one = createPlace();
    using two = createPlace();
    await using archive = await database();
    const nodes = [await serve(one, archive.url, 'one'), await serve(two, archive.url, 'two')];
    const [here, there] = nodes as [(typeof nodes)[number], (typeof nodes)[number]];
    const id = await here.server.createSession({ name: 'Shared' });
    const session = here.server.openSession(id);
    await session.whenReady();
    await session.submit('Where is the needle?');
    session.close();

    const listed = await ask(there, '/api/sessions', id);
    const [row] = JSON.parse(listed).sessions;
    const found = JSON.parse(await ask(there, '/api/search?q=needle', id));
    const usage = JSON.parse(await ask(there, '/api/usage?group=agent', '"requests":1'));
    const whole = JSON.parse(await ask(there, `/api/sessions/${id}`));

    expect(row).toMatchObject({ id, title: 'Shared', access: 'drive', node: 'one', is_live: true });
    expect(found.hits).toMatchObject([{ session_id: id }]);
    expect(usage.rows).toMatchObject([{ key: 'robota', requests: 1 }]);
    expect(JSON.stringify(whole)).toContain('Where is the needle?');
    expect(JSON.parse(await ask(there, '/api/me'))).toMatchObject({ node: 'two' });
    for (const node of nodes) await node.end('SIGTERM');
  });

  it.each(['stats', 'check'])('says what to do when %s finds no tables', async (command) => {
    using place = createPlace();
    await using archive = await database();

    const { code, stderr } = await runRobota(place, ['archive', command, '--archive', archive.url]);

    expect(code).toBe(1);
    expect(stderr).toContain('Run robota archive migrate');
  });

  it('says what to do without an archive, and with a wrong one', async () => {
    using place = createPlace();

    const none = await runRobota(place, ['archive', 'stats']);
    const wrong = await runRobota(place, ['archive', 'stats', '--archive', 'mysql://x']);
    const gone = await runRobota(place, [
      'archive',
      'migrate',
      '--archive',
      'postgres://127.0.0.1:1/x',
    ]);

    expect(none.stderr).toContain('ROBOTA_ARCHIVE');
    expect(wrong.stderr).toContain('PostgreSQL');
    expect(gone.stderr).toContain('Check that it runs');
    expect([none.code, wrong.code, gone.code]).not.toContain(0);
  });
}
