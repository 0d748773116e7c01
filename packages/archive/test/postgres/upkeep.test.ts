import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkArchive,
  exportSession,
  importSession,
  moveSession,
  pruneArchive,
  statsOf,
} from '@robota-sdk/agent-archive/postgres';
import { createAssistantMessage, type Provider } from '@robota-sdk/agent-core';
import { FileSessionLogger, Session, SessionStore } from '@robota-sdk/agent-session';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { claimed, line, sinkOf } from '../describe-shared-archive.ts';
import { testArchive, testNode } from './test-archive.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('upkeep', () => it.todo('does not run without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  describe('the upkeep of an archive', () => {
    it('copies sessions from files and back without a change, payloads and record too', async () => {
      const { archive } = await testArchive(url);
      const [from, to] = [folders(), folders()];
      await talk(from, 's1', 'x'.repeat(100_000));

      const imported = await importSession(archive, from, 's1');
      const exported = await exportSession(archive, to, 's1');

      expect(exported).toEqual(imported);
      expect(imported.payloads).toBeGreaterThan(0);
      expect(readFileSync(join(to.logs, 's1.jsonl'))).toEqual(
        readFileSync(join(from.logs, 's1.jsonl')),
      );
      const [before, after] = [from, to].map(({ sessions, logs }) =>
        new SessionStore(sessions, { logDir: logs }).load('s1'),
      );
      expect(after).toEqual(before);
      expect(await checkArchive(archive)).toEqual({ sessions: 1, problems: [] });
      const opened = await archive.open('s1');
      expect(opened?.saved?.record.messages).toEqual(before?.messages);
      await expect(importSession(archive, from, 's1')).rejects.toThrow('already');
      await expect(exportSession(archive, to, 's1')).rejects.toThrow('there already');
    });

    it('copies a session that is being written to, as far as it was then', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive);
      const [from, to] = [folders(), folders()];
      await talk(from, 's1', 'x'.repeat(100_000));
      const sink = sinkOf(await claimed(node, (await importSession(archive, from, 's1')).id));
      // Every reading is followed by a line with a payload.
      let n = 1_000;
      vi.spyOn(archive, 'lines').mockImplementation(async (...args) => {
        const lines = await archive.logs.lines(...args);
        n += 1;
        const data = await sink.store?.(['y'.repeat(100_000), n]);
        await sink.append(line(n, 'notice', { data }));
        return lines;
      });

      const exported = await exportSession(archive, to, 's1');

      expect(n).toBeGreaterThan(1_001);
      expect(readFileSync(join(to.logs, 's1.jsonl'))).toEqual(
        readFileSync(join(from.logs, 's1.jsonl')),
      );
      expect(exported.sha256).toMatch(/^[0-9a-f]{64}$/);
    });

    it('copies secrets with a key, leaves them behind without one', async () => {
      const secret = `sk-ant-api03-${'x'.repeat(93)}AA`;
      const { archive } = await testArchive(url, { key: Buffer.alloc(32, 5) });
      const { archive: open } = await testArchive(url);
      const [from, to, without] = [folders(), folders(), folders()];
      await talk(from, 's1', `My key is ${secret}.`, { vault: true });
      const vault = (place: { logs: string }) => join(place.logs, 's1.vault');

      await importSession(archive, from, 's1');
      await exportSession(archive, to, 's1');
      await importSession(open, from, 's1');
      await exportSession(open, without, 's1');

      expect(readFileSync(vault(to), 'utf8')).toBe(readFileSync(vault(from), 'utf8'));
      expect(statSync(vault(to)).mode & 0o777).toBe(0o600);
      expect(existsSync(vault(without))).toBe(false);
      const rows = await archive.link.query(
        `SELECT encode(data, 'escape') AS text FROM ${archive.tables.vault}`,
      );
      expect(rows.length).toBeGreaterThan(1);
      expect(JSON.stringify(rows)).not.toContain(secret);
    });

    it('leaves sessions of other agents to the transcripts of their programs', async () => {
      const { archive } = await testArchive(url);
      await archive.create('agent', { agent: 'codex' });

      const exported = exportSession(archive, folders(), 'agent');

      await expect(exported).rejects.toThrow("belongs to codex; only Robota's own");
    });

    it('finds a copy of a payload that is not equal', async () => {
      const { archive } = await testArchive(url);
      const [from, to] = [folders(), folders()];
      await talk(from, 's1', 'x'.repeat(100_000));
      await importSession(archive, from, 's1');
      const { payload } = archive.tables;
      // Bytes that a disk or a person has changed.
      await archive.link.query(`UPDATE ${payload} SET data = data || ' '`);

      expect((await checkArchive(archive)).problems).toMatchObject([
        { problem: expect.stringContaining('not what was written') },
      ]);
      await expect(exportSession(archive, to, 's1')).rejects.toThrow('not equal');
    });

    it('finds lines that are gone, and says what lives', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('a', {});
      const claim = await node.claim('a');
      await claim?.logger
        .openSink?.('a')
        .append('{"n":1,"t":1,"event":"notice"}\n{"n":2,"t":1,"event":"notice"}\n');

      expect(await checkArchive(archive)).toMatchObject({ problems: [] });
      await archive.link.query(`DELETE FROM ${archive.tables.event} WHERE seq = 1`);

      const { problems } = await checkArchive(archive);
      expect(problems.map(({ problem }) => problem)).toEqual([
        'it has 1 lines where 2 were written',
        'its lines are not as long as was written',
      ]);
      expect(await statsOf(archive)).toMatchObject({
        sessions: 1,
        lines: 2,
        nodes: [{ name: 'one', sessions: 1 }],
      });
    });

    it('moves a session to the node that is named, away from one that lives', async () => {
      const { archive } = await testArchive(url);
      const [one, two] = [
        await testNode(archive, { name: 'one' }),
        await testNode(archive, { name: 'two' }),
      ];
      await archive.create('a', {});
      const first = await one.claim('a');

      await moveSession(archive, 'a', { to: 'two' });
      const late = first?.logger.openSink?.('a').append('{"n":1,"t":1,"event":"notice"}\n');
      await expect(late).rejects.toMatchObject({ code: 'session_fenced' });
      expect(await one.claim('a')).toBeUndefined();

      expect(await two.claim('a')).toBeDefined();
      await expect(moveSession(archive, 'a', { to: 'nobody' })).rejects.toThrow(
        'No live node is named "nobody"; "robota archive stats" lists them',
      );
    });

    it('removes receipts and sessions that are old enough, and nothing else', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive);
      await archive.create('old', {});
      await archive.create('waiting', {});
      await archive.submit('waiting', { messageId: 'm', kind: 'prompt', body: {} });
      const claim = await node.claim('old');
      await archive.submit('old', { messageId: 'm', kind: 'abort', body: {} });
      await claim?.settle('m', { status: 'completed', response: '' });
      await claim?.release();
      const record = { sessionId: 'agent', type: 'codex', status: 'pending' } as const;
      await archive.transcripts.createSessionRecord({ ...record, agentProfileReference: 'none' });
      await archive.create('agent', { agent: 'codex' });

      expect(await pruneArchive(archive, { receiptDays: 1 })).toMatchObject({
        receipts: 0,
        sessions: 0,
      });
      const { session } = archive.tables;
      await archive.link.query(
        `UPDATE ${session} SET updated_at = clock_timestamp() - interval '3 days' WHERE id <> 'waiting'`,
      );
      await archive.link.query(
        `UPDATE ${archive.tables.agentSession} SET updated_at = clock_timestamp() - interval '3 days'`,
      );
      expect(await pruneArchive(archive, { receiptDays: 0, sessionDays: 2 })).toMatchObject({
        receipts: 1,
        sessions: 2,
      });
      expect(await archive.transcripts.listAllSessions()).toEqual([]);

      expect((await archive.list()).map(({ id }) => id)).toEqual(['waiting']);
      expect(await archive.waiting('waiting')).toHaveLength(1);
    });
  });
}

function folders(): { sessions: string; logs: string } {
  const folder = mkdtempSync(join(tmpdir(), 'robota-upkeep-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return { sessions: join(folder, 'sessions'), logs: join(folder, 'logs') };
}

async function talk(
  place: { sessions: string; logs: string },
  id: string,
  text: string,
  { vault = false }: { readonly vault?: boolean } = {},
) {
  const provider: Provider = {
    name: 'echo',
    chat: async () => createAssistantMessage('Yes.'),
  };
  const session = new Session({
    sessionId: id,
    cwd: '/tmp',
    provider,
    tools: [],
    systemMessage: 'Be brief.',
    terminal: { write: () => undefined } as never,
    sessionStore: new SessionStore(place.sessions, { logDir: place.logs }),
    sessionLogger: new FileSessionLogger(place.logs),
    vault,
  });
  await session.run('hello');
  await session.run(text);
  await session.shutdown();
}
