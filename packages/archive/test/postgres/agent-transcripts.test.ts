import { AgentTranscripts, type PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { describeTranscriptPersistence } from '../../../transcript/test/persistence/describe-transcript-persistence.ts';
import { emptyArchive, sharedArchive } from './test-archive.ts';

const server = await findPostgres();
const KEY = Buffer.alloc(32, 7);
const RECORD = {
  sessionId: 'one',
  type: 'claude-agent-sdk',
  agentProfileReference: 'none',
  status: 'pending',
} as const;

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('transcripts of other agents', () => it.todo('are not kept without a server'));
} else {
  const { url } = server;
  const opened: Awaited<ReturnType<typeof sharedArchive>>[] = [];
  let plain: PostgresArchive;
  let sealed: PostgresArchive;
  beforeAll(async () => {
    opened.push(await sharedArchive(url), await sharedArchive(url, { key: KEY }));
    [plain, sealed] = opened.map(({ archive }) => archive) as [PostgresArchive, PostgresArchive];
  });
  afterAll(async () => {
    for (const { remove } of opened) await remove();
    await server.stop();
  });

  // Each test has the tables for itself: its first statement empties them.
  describeTranscriptPersistence('postgres', () => emptied(plain));
  describeTranscriptPersistence('postgres, enciphered', () => emptied(sealed));

  describe('transcripts in an archive', () => {
    it('are written by one node at a time, and by the next when that one lets go or dies', async () => {
      await emptyArchive(plain);
      const [one, two] = ['one', 'two'].map((name) => nodeOf(plain, name, 300));
      await one?.createSessionRecord(RECORD);
      const lock = await one?.acquireLock('one');

      await expect(two?.acquireLock('one')).rejects.toMatchObject({
        code: 'session_locked',
        message: expect.stringContaining('node one'),
      });
      await expect(two?.appendTranscript('one', { offset: 0, text: 'x\n' })).rejects.toMatchObject({
        code: 'session_locked',
      });
      await lock?.release();
      const second = await two?.acquireLock('one');
      await two?.appendTranscript('one', { offset: 0, text: 'x\n' });

      await expect(one?.acquireLock('one')).rejects.toMatchObject({ code: 'session_locked' });
      await second?.release();
    });

    it('refuse a writer whose right has passed on', async () => {
      await emptyArchive(plain);
      const [one, two] = ['one', 'two'].map((name) => nodeOf(plain, name, 60_000));
      await one?.createSessionRecord(RECORD);
      const first = await one?.acquireLock('one');
      const { agentSession } = plain.tables;
      await plain.link.query(
        `UPDATE ${agentSession} SET until = clock_timestamp() - interval '1 s'`,
      );
      const second = await two?.acquireLock('one');

      await expect(
        one?.appendTranscript('one', { offset: 0, text: 'late\n' }),
      ).rejects.toMatchObject({
        code: 'session_locked',
      });
      await first?.release();
      await two?.appendTranscript('one', { offset: 0, text: 'mine\n' });

      expect((await two?.loadSession('one'))?.rawTranscript).toBe('mine\n');
      await second?.release();
    });

    it('of two who append at one place keep one', async () => {
      await emptyArchive(plain);
      const writers = Array.from({ length: 6 }, (_unused, index) =>
        nodeOf(plain, `n${index}`, 300),
      );
      await writers[0]?.createSessionRecord(RECORD);

      const ends = await Promise.allSettled(
        writers.map((one, index) => one.appendTranscript('one', { offset: 0, text: `${index}\n` })),
      );

      expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect((await writers[0]?.loadSession('one'))?.rawTranscript).toHaveLength(2);
    });

    it('cannot be read in the database, nor with another key, where there is a key', async () => {
      await emptyArchive(sealed);
      const { transcripts, tables, link } = sealed;
      await transcripts.createSessionRecord(RECORD);
      await transcripts.appendTranscript('one', { offset: 0, text: 'my secret\n' });
      const [row] = await link.query(`SELECT encode(data, 'escape') AS text FROM ${tables.piece}`);

      expect(String(row?.text)).not.toContain('secret');
      const schema = tables.schema.replaceAll('"', '');
      const other = await sharedArchive(url, { key: Buffer.alloc(32, 9), schema });
      await expect(other.archive.transcripts.loadSession('one')).rejects.toThrow(
        'ROBOTA_ARCHIVE_KEY',
      );
      await other.archive.close();
    });
  });
}

function nodeOf(archive: PostgresArchive, name: string, ttlMs: number): AgentTranscripts {
  const { link, tables, wakes } = archive;
  return new AgentTranscripts({ link, tables, wakes, name, ttlMs });
}

/** A persistence whose first call waits until the tables are empty. */
function emptied(archive: PostgresArchive): AgentTranscripts {
  const ready = emptyArchive(archive);
  const { link, tables, wakes, cipher } = archive;
  return new Proxy(new AgentTranscripts({ link, tables, wakes, cipher }), {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name);
      if (typeof method !== 'function') return method;
      return async (...values: unknown[]) => {
        await ready;
        return method.apply(target, values);
      };
    },
  });
}
