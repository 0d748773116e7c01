import { PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { claimed, line, sinkOf } from '../describe-shared-archive.ts';
import { dropSchema } from './drop-schema.ts';
import { testNode } from './test-archive.ts';
import { VERSION_1 } from './version-1.ts';

const server = await findPostgres();
const LATEST = 2;

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('migrations', () => it.todo('do not run without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  describe('the tables of an archive', () => {
    it('are brought up to date from the first version, with everything in them', async () => {
      const archive = open(url);
      const { schema } = archive.tables;
      for (const statement of VERSION_1) {
        await archive.link.query(statement.replaceAll('{schema}', schema));
      }
      await archive.link.query(
        `INSERT INTO ${schema}.session (id, last_seq, last_n, bytes) VALUES ('old', 1, 1, 31)`,
      );
      await archive.link.query(
        `INSERT INTO ${schema}.event (sid, seq, fence, n, kind, data) VALUES (1, 1, 0, 1, 'notice', '{"n":1,"t":1,"event":"notice"}')`,
      );

      expect(await archive.migrate()).toEqual({ from: 1, to: LATEST });
      expect(await archive.migrate()).toEqual({ from: LATEST, to: LATEST });
      const claim = await claimed(await testNode(archive), 'old');
      await sinkOf(claim).append(line(2, 'notice'));

      expect((await archive.lines('old', 0)).map(({ place }) => place)).toEqual([1, 2]);
    });

    it('are made once by any number of nodes that start at once', async () => {
      const schema = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
      const archives = Array.from({ length: 4 }, () => open(url, schema));

      const reports = await Promise.all(archives.map((archive) => archive.migrate()));

      expect(reports.map(({ from }) => from).sort()).toEqual([0, LATEST, LATEST, LATEST]);
    });

    it('of a later version are left alone', async () => {
      const archive = open(url);
      await archive.migrate();
      await archive.link.query(`UPDATE ${archive.tables.version} SET version = 99`);

      await expect(archive.migrate()).rejects.toThrow('update this program');
    });
  });
}

function open(url: string, given?: string): PostgresArchive {
  const schema = given ?? `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const archive = new PostgresArchive({ url, schema });
  onTestFinished(async () => {
    await archive.close();
    await dropSchema(url, schema);
  });
  return archive;
}
