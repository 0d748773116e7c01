import { PostgresArchive, PostgresCatalogue } from '@robota-sdk/agent-archive/postgres';
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findPostgres, reportMissing } from '../../../store/test/databases/servers.ts';
import { describeCatalogue } from '../describe-catalogue.ts';
import { claimed, sinkOf } from '../describe-shared-archive.ts';
import { temporaryHome } from '../generated-home.ts';
import { talkInArchive } from './archived-talk.ts';
import { testArchive, testNode } from './test-archive.ts';

const server = await findPostgres();

if (server === undefined) {
  reportMissing('PostgreSQL', 'ROBOTA_TEST_POSTGRES_URL');
  describe('the catalogue', () => it.todo('does not run without a server'));
} else {
  const { url } = server;
  afterAll(() => server.stop());

  const archives = new Map<string, PostgresArchive>();
  describeCatalogue('postgres', async (home) => {
    const known = archives.get(home) ?? (await testArchive(url)).archive;
    archives.set(home, known);
    return new PostgresCatalogue({ archive: known, machine: { home, environment: {} } });
  });

  describe('the catalogue of an archive', () => {
    it('shows what any node has written on every node, with the node that runs it', async () => {
      const { archive, schema } = await testArchive(url);
      const other = await secondArchive(url, schema);
      const one = await testNode(archive, { name: 'one' });
      await testNode(other, { name: 'two' });
      await archive.create('s1', { cwd: '/code/thing', model: 'claude-sonnet-4-5' });
      const claim = await claimed(one, 's1');
      await talkInArchive(claim, 'Where is the needle?', 'In the haystack.');
      const [here, there] = [catalogueOf(archive, 'one'), catalogueOf(other, 'two')];

      const report = await here.refresh();
      const nothing = await there.refresh();

      expect([report.read, nothing.read]).toEqual([1, 0]);
      for (const catalogue of [here, there]) {
        const { sessions } = await catalogue.list();
        expect(sessions).toMatchObject([
          {
            id: 's1',
            agent: 'robota',
            title: 'Where is the needle?',
            cwd: '/code/thing',
            messages: 2,
            isLive: true,
            runs: { node: 'one', state: 'idle' },
          },
        ]);
        const found = await catalogue.search({ text: 'haystack' });
        expect(found.sessions[0]?.hits[0]?.snippet).toBe('In the haystack.');
        expect(await catalogue.resolve('s1')).toMatchObject({ kind: 'found' });
        expect((await catalogue.usage()).total.requests).toBe(1);
      }
      await claim.release();
      expect((await there.list()).sessions).toMatchObject([{ isLive: false }]);
    });

    it('keeps a session of another agent whose program chooses its id later', async () => {
      const { archive } = await testArchive(url);
      await testNode(archive, { name: 'one' });
      const { transcripts } = archive;
      const catalogue = catalogueOf(archive, 'one');
      await transcripts.createSessionRecord({
        sessionId: 'ours',
        type: 'claude-agent-sdk',
        agentProfileReference: 'none',
        status: 'pending',
      });
      await catalogue.refresh();
      await catalogue.labels.set({ type: 'claude-agent-sdk', id: 'ours' }, { isPinned: true });
      const said = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'A needle?' } };
      await transcripts.updateSessionRecord('ours', { metadata: { agentSessionId: 'theirs' } });
      await transcripts.appendTranscript('ours', { offset: 0, text: `${JSON.stringify(said)}\n` });

      await vi.waitFor(async () => {
        await catalogue.refresh();
        expect((await catalogue.list()).sessions).toMatchObject([
          { id: 'theirs', sharedId: 'ours', title: 'A needle?', isPinned: true },
        ]);
      }, 10_000);
    });

    it('goes past a session that it cannot read', async () => {
      const key = Buffer.alloc(32, 1);
      const { archive, schema } = await testArchive(url, { key });
      const other = new PostgresArchive({ url, schema, key: Buffer.alloc(32, 2) });
      onTestFinished(() => other.close());
      for (const { transcripts, sessionId } of [
        { transcripts: archive.transcripts, sessionId: 'theirs' },
        { transcripts: other.transcripts, sessionId: 'ours' },
      ]) {
        const said = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'A needle?' } };
        await transcripts.createSessionRecord({
          sessionId,
          type: 'claude-agent-sdk',
          agentProfileReference: 'none',
          status: 'pending',
        });
        await transcripts.appendTranscript(sessionId, {
          offset: 0,
          text: `${JSON.stringify(said)}\n`,
        });
      }

      const catalogue = catalogueOf(other, 'two');
      const { status, failures } = await catalogue.refresh();

      expect(status).toBe('complete');
      expect(failures).toEqual([
        { path: 'archive:theirs', reason: expect.stringContaining('ROBOTA_ARCHIVE_KEY') },
      ]);
      expect((await catalogue.list()).sessions.map(({ id }) => id)).toEqual(['ours']);
    });

    it('says that a session works, and that it waits for an answer', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('s1', {});
      const claim = await claimed(node, 's1');
      const { sink, next } = await talkInArchive(claim, 'Hello', 'Yes.');
      const catalogue = catalogueOf(archive, 'one');
      await catalogue.refresh();
      const state = async () => (await catalogue.list()).sessions[0]?.runs?.state;

      await sink.append(next('prompt', { messageId: 'm9' }));
      expect(await state()).toBe('working');
      await sink.append(next('permission_request', { requestId: 'q1', toolName: 'Bash' }));
      expect(await state()).toBe('waiting');
    });

    it('takes what a living node runs from that node alone, and from anyone when it is dead', async () => {
      const { archive } = await testArchive(url);
      const one = await testNode(archive, { name: 'one', ttlMs: 60_000 });
      await archive.create('s1', {});
      await talkInArchive(await claimed(one, 's1'), 'Hello', 'Yes.');
      const two = catalogueOf(archive, 'two');

      expect((await two.refresh()).read).toBe(0);
      await archive.link.query(`UPDATE ${archive.tables.node} SET until = '-infinity'`);
      const again = catalogueOf(archive, 'two');

      expect((await again.refresh()).read).toBe(1);
    });

    it('reads again what has grown and writes only what is new', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('s1', {});
      const claim = await claimed(node, 's1');
      await talkInArchive(claim, 'First words', 'One.');
      const before = catalogueOf(archive, 'one');
      await before.refresh();
      const rows = () =>
        archive.link.query(`SELECT id FROM ${archive.tables.catalogueBlock} ORDER BY id`);
      const first = await rows();
      await claim.release();
      await talkInArchive(await claimed(node, 's1'), 'More words', 'Two.');

      const after = catalogueOf(archive, 'one');
      expect((await after.refresh()).read).toBe(1);
      expect((await after.refresh()).read).toBe(0);

      expect((await rows()).slice(0, first.length)).toEqual(first);
      expect((await after.list()).sessions).toMatchObject([{ messages: 4 }]);
      expect((await after.search({ text: 'words' })).sessions[0]?.hits).toHaveLength(2);
    });

    it('forgets the words of a deleted session at once and keeps what was paid', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('s1', {});
      await talkInArchive(await claimed(node, 's1'), 'Where is the needle?', 'Nowhere.');
      const catalogue = catalogueOf(archive, 'one');
      await catalogue.refresh();

      await archive.remove('s1');

      expect((await catalogue.list()).sessions).toEqual([]);
      expect((await catalogue.search({ text: 'needle' })).sessions).toEqual([]);
      expect((await catalogue.usage()).total.requests).toBe(1);
      const texts = await archive.link.query(
        `SELECT row_to_json(c)::text AS text FROM ${archive.tables.catalogueSession} c`,
      );
      expect(JSON.stringify(texts)).not.toContain('needle');
    });

    it('finds words and phrases in texts that are longer than the server can index', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('s1', {});
      const filler = 'the src file '.repeat(40_000);
      const text = `alpha ${filler} the needle lies ${filler} 这个解析器 \u0000 ${'x'.repeat(5_000)} omega`;
      await talkInArchive(await claimed(node, 's1'), 'Go', text);
      const catalogue = catalogueOf(archive, 'one');
      await catalogue.refresh();
      const count = async (words: string) =>
        (await catalogue.search({ text: words })).sessions.length;

      expect(await count('"the needle lies"')).toBe(1);
      expect(await count('alpha omega')).toBe(1);
      expect(await count('alpha -omega')).toBe(0);
      expect(await count('解析器')).toBe(1);
    });

    it('keeps names, pins and archive flags that all nodes share', async () => {
      const { archive, schema } = await testArchive(url);
      const other = await secondArchive(url, schema);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('s1', {});
      await talkInArchive(await claimed(node, 's1'), 'Hello', 'Yes.');
      const [here, there] = [catalogueOf(archive, 'one'), catalogueOf(other, 'two')];
      await here.refresh();
      const session = { type: 'robota', id: 's1' };

      await here.labels.set(session, { name: 'Our\n talk', isPinned: true });
      expect((await there.list()).sessions).toMatchObject([{ title: 'Our talk', isPinned: true }]);
      expect(await there.resolve('our talk')).toMatchObject({ kind: 'found' });
      expect((await there.usage({ by: 'session' })).rows).toMatchObject([{ label: 'Our talk' }]);
      await there.labels.set(session, { name: '', isPinned: false, isArchived: true });

      expect((await here.list()).sessions).toEqual([]);
      expect((await here.list({ archived: 'only' })).sessions).toMatchObject([
        { title: 'Hello', isPinned: false, isArchived: true },
      ]);
    });

    it('tells every node when there is something new', async () => {
      const { archive, schema } = await testArchive(url);
      const other = await secondArchive(url, schema);
      const node = await testNode(archive, { name: 'one' });
      await other.listen();
      const there = catalogueOf(other, 'two');
      const told = new Promise<void>((resolve) => {
        onTestFinished(there.onChange(resolve));
      });
      await archive.create('s1', {});
      await talkInArchive(await claimed(node, 's1'), 'Hello', 'Yes.');

      await catalogueOf(archive, 'one').refresh();

      await told;
      expect((await there.list()).sessions).toHaveLength(1);
    });
  });

  describe('a machine’s sessions beside those of the archive', () => {
    it('stay apart: neither takes the other for deleted', async () => {
      const { archive } = await testArchive(url);
      const node = await testNode(archive, { name: 'one' });
      await archive.create('s1', {});
      await sinkOf(await claimed(node, 's1')).append('{"n":1,"t":1,"event":"notice"}\n');
      const home = temporaryHome();
      const machine = new PostgresCatalogue({ archive, machine: { home, environment: {} } });
      await catalogueOf(archive, 'one').refresh();

      expect(await machine.refresh()).toMatchObject({ removed: 0 });
      expect(await catalogueOf(archive, 'one').refresh()).toMatchObject({ removed: 0 });
    });
  });

  function catalogueOf(archive: PostgresArchive, node: string): PostgresCatalogue {
    const catalogue = new PostgresCatalogue({ archive, node });
    onTestFinished(() => catalogue.close());
    return catalogue;
  }
}

async function secondArchive(url: string, schema: string): Promise<PostgresArchive> {
  const archive = new PostgresArchive({ url, schema });
  onTestFinished(() => archive.close());
  return archive;
}
