import { afterAll, describe, expect, it } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { claimed, describeSharedArchive, line, sinkOf } from '../describe-shared-archive.ts';
import { testArchive, testNode } from './test-archive.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('claims', () => it.todo('do not run without a server'));
} else {
  afterAll(() => server.stop());
  const { url } = server;

  describeSharedArchive('postgres', async () => {
    const { archive } = await testArchive(url);
    return { archive, newNode: () => testNode(archive) };
  });

  // As it is reached through a pooler that gives each transaction another connection.
  describeSharedArchive('postgres without prepared statements', async () => {
    const { archive } = await testArchive(url, { directUrl: url });
    return { archive, newNode: () => testNode(archive) };
  });

  describe('a claim on PostgreSQL', () => {
    it('ends with the lease of its node, by a clock that jumps, and nothing is written after', async () => {
      const { archive } = await testArchive(url);
      let ahead = 0;
      const clock = { monotonic: () => performance.now(), wall: () => Date.now() + ahead };
      const node = await testNode(archive, { clock });
      await archive.create('a', {});
      const claim = await claimed(node, 'a');

      ahead = 60_000;
      await expect(sinkOf(claim).append(line(1, 'notice'))).rejects.toMatchObject({
        code: 'session_fenced',
      });

      expect(claim.lost.aborted).toBe(true);
      expect(await archive.lines('a', 0)).toEqual([]);
      expect((await archive.find('a'))?.lines).toBe(0);
    });

    it('is refused where its workspace is not', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { workspaces: ['/srv/one'] });
      await archive.create('here', { cwd: '/srv/one/project' });
      await archive.create('there', { cwd: '/srv/one-other' });

      expect(await node.claim('here')).toBeDefined();
      expect(await node.claim('there')).toBeUndefined();
    });
  });
}
