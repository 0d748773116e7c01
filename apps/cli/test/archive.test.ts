import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import postgres from 'postgres';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { findPostgres, reportMissing } from '../../../packages/store/test/databases/servers.ts';
import { createPlace, finished, type Place, runRobota, startRobota } from './support/run-robota.ts';

const server = await findPostgres();
const SLOW = 120_000;

interface Node {
  readonly url: string;
  readonly token: string;
}

/** What a node answers; asked again until it says what is wanted, which another node may still have to write. */
async function ask({ url, token }: Node, path: string, wanted = ''): Promise<string> {
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

async function serve(place: Place, archive: string, name: string) {
  const args = ['serve', '--port', '0', '--provider', 'demo', '--archive', archive, '--node', name];
  const child: ChildProcessWithoutNullStreams = startRobota(place, args, {
    ROBOTA_ARCHIVE_TTL_MS: '4000',
    ROBOTA_ARCHIVE_LOOK_MS: '200',
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    child.once('exit', (code) => reject(new Error(`robota serve ended with ${code}`)));
  });
  const token = readFileSync(join(place.home, '.robota/server-token'), 'utf8').trim();
  return { child, url, token, server: new RemoteServer({ url, token, WebSocket }) };
}

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('robota on an archive', () => it.todo('does not run without a server'));
} else {
  afterAll(() => server.stop());

  /** A database of its own: the command uses one schema. */
  async function database() {
    const name = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
    const sql = postgres(server?.url ?? '', { max: 1, onnotice: () => undefined });
    await sql.unsafe(`CREATE DATABASE ${name}`);
    const url = new URL(server?.url ?? '');
    url.pathname = `/${name}`;
    return {
      url: String(url),
      async [Symbol.asyncDispose]() {
        await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
        await sql.end();
      },
    };
  }

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
    const killed = finished(one.child);
    one.child.kill('SIGKILL');
    await killed;
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
    const ended = finished(two.child);
    two.child.kill('SIGTERM');
    expect((await ended).code).toBe(0);

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
    for (const { child } of nodes) {
      const ended = finished(child);
      child.kill('SIGTERM');
      await ended;
    }
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
