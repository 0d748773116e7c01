import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  PostgresArchive,
  PostgresCatalogue,
  PostgresNode,
} from '@robota-sdk/agent-archive/postgres';
import { type LiveSession, openAgentPlace, SessionHost } from '@robota-sdk/agent-sdk';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { dropSchema } from '../../../archive/test/postgres/drop-schema.ts';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { echo } from '../live/echo-provider.ts';
import { FAKE_PROGRAMS, fakeProgram } from '../live/fake-programs.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('sessions of other agents', () => it.todo('are not shared without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  /** Hosts on one archive with one project, each with a home of its own: machines that share a directory. */
  async function machines(program: string) {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'robota-agents-')));
    const cwd = join(root, 'project');
    mkdirSync(cwd);
    const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
    onTestFinished(async () => {
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      await dropSchema(url, schema);
    });
    return Promise.all(['one', 'two'].map((name) => machine(name, { root, cwd, schema, program })));
  }

  async function machine(
    name: string,
    place: { root: string; cwd: string; schema: string; program: string },
  ) {
    const { root, cwd, schema, program } = place;
    const archive = new PostgresArchive({ url, schema, node: name });
    await archive.migrate();
    const { transcripts } = archive;
    const node = new PostgresNode({ archive, name, ttlMs: 5_000, lookMs: 300 });
    const host = new SessionHost({
      defaults: { cwd, provider: echo(), bare: true },
      node: name,
      archive: { archive, node, transcripts },
      openPlace: (request) =>
        openAgentPlace({
          ...request,
          homeDirectory: join(root, name),
          directory: join(root, name, '.robota/agents'),
          program: fakeProgram(program),
          persistence: transcripts,
        }),
      onError: () => undefined,
    });
    await host.start();
    const catalogue = new PostgresCatalogue({ archive, node: name });
    onTestFinished(async () => {
      await host.closeAll();
      await catalogue.close();
      await archive.close();
    });
    return { host, catalogue };
  }

  describe.each(FAKE_PROGRAMS)('a session of $name in an archive', ({ name }) => {
    it('goes on at another node that has the program, and is listed everywhere', async () => {
      const [one, two] = await machines(name);
      if (!one || !two) throw new Error('There are two machines');
      const first = await one.host.create({ agent: name });
      await first.submit('alpha');
      const { sessionId, nativeId } = first;

      await expect(two.host.open(sessionId)).rejects.toMatchObject({ code: 'session_locked' });
      await one.host.close(sessionId);
      const second = await two.host.open(sessionId);
      const outcome = await second.submit('beta');

      expect(outcome.status).toBe('completed');
      expect(second.agent).toBe(name);
      expect(promptsOf(second)).toEqual(['alpha', 'beta']);
      // The last lines of a turn are saved beside its answer.
      await vi.waitFor(async () => {
        await two.catalogue.refresh();
        expect((await one.catalogue.search({ text: 'beta' })).sessions).toHaveLength(1);
      }, 10_000);
      const { sessions } = await one.catalogue.list();
      expect(sessions).toMatchObject([
        { agent: name, id: nativeId ?? sessionId, sharedId: sessionId, runs: { node: 'two' } },
      ]);
      expect(await one.catalogue.resolve(sessionId)).toMatchObject({ kind: 'found' });
      await two.host.remove(sessionId);
      await expect(one.host.open(sessionId)).rejects.toMatchObject({ code: 'session_not_found' });
    });
  });
}

function promptsOf(session: LiveSession): string[] {
  const { blocks } = session.getConversation();
  return blocks.flatMap((block) => (block.type === 'user_message' ? [String(block.content)] : []));
}
