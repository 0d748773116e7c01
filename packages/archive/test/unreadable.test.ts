import { execFileSync } from 'node:child_process';
import { mkdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { claudePath, claudeTurn, temporaryHome, writeLines } from './generated-home.ts';
import { openOpencode, say } from './opencode-home.ts';

function homeWithClaude(): { home: string; catalogue: SqliteCatalogue } {
  const home = temporaryHome();
  const turn = { id: 't', prompt: 'Where?', answer: 'There.' };
  writeLines(claudePath(home, 'whole'), claudeTurn(turn, { sessionId: 'whole' }));
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());
  return { home, catalogue };
}

const idsOf = async (catalogue: SqliteCatalogue) =>
  (await catalogue.list()).sessions.map(({ id }) => id).sort();

it('lists the others when a transcript cannot be read, and says why it cannot', async () => {
  const { home, catalogue } = homeWithClaude();
  const path = claudePath(home, 'odd');
  const lines = claudeTurn({ id: 'o', prompt: 'What?', answer: 'That.' }, { sessionId: 'odd' });
  writeLines(path, lines);
  const later = new Date(Date.now() + 1000);
  utimesSync(path, later, later);

  const broken = await catalogue.refresh({
    onProgress: ({ done }) => {
      if (done > 1) return;
      rmSync(path);
      mkdirSync(path);
    },
  });
  const listed = await idsOf(catalogue);
  rmdirSync(path);
  writeLines(path, lines);
  const mended = await catalogue.refresh();

  expect(broken).toMatchObject({ status: 'complete', sessions: 1 });
  expect(broken.failures).toEqual([{ path, reason: expect.stringContaining('EISDIR') }]);
  expect(listed).toEqual(['whole']);
  expect(mended).toMatchObject({ sessions: 2, failures: [] });
});

it('keeps the sessions of an agent whose database is damaged, and all others', async () => {
  const { home, catalogue } = homeWithClaude();
  const database = openOpencode(home);
  database.exec("insert into session values ('ses_a', null, '/work', 'Given title', null, 7)");
  say(database, 'ses_a', 1);
  await catalogue.refresh();
  const before = (await catalogue.usage()).total;
  database.close();
  const path = join(home, '.local/share/opencode/opencode.db');
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  writeFileSync(path, 'not a database at all, but long enough to look like one'.repeat(50));

  const { failures, removed } = await catalogue.refresh();

  expect(removed).toBe(0);
  expect(failures).toEqual([{ path, reason: expect.stringContaining('not a database') }]);
  expect(await idsOf(catalogue)).toEqual(['ses_a', 'whole']);
  expect((await catalogue.usage()).total).toEqual(before);
  expect(await catalogue.compare()).toMatchObject({ missing: [], extra: [], different: [] });
});

const IN_THE_WAY: Readonly<Record<string, (path: string) => void>> = {
  folder: (path) => mkdirSync(path, { recursive: true }),
  pipe: (path) => execFileSync('mkfifo', [path]),
};

it.each([
  ['usage-ledger.jsonl', 'folder'],
  ['usage-ledger.jsonl', 'pipe'],
  ['projects.jsonl', 'folder'],
  ['projects.jsonl', 'pipe'],
])('lists all sessions when its %s is a %s, and says so', async (name, kind) => {
  const { home, catalogue } = homeWithClaude();
  const path = join(home, '.robota', name);
  mkdirSync(join(home, '.robota'), { recursive: true });
  IN_THE_WAY[kind]?.(path);

  const report = await catalogue.refresh();

  expect(report).toMatchObject({ status: 'complete', sessions: 1 });
  expect(report.failures).toEqual([{ path, reason: expect.stringContaining('remove it') }]);
  expect(await idsOf(catalogue)).toEqual(['whole']);

  rmSync(path, { recursive: true });
  expect(await catalogue.refresh()).toMatchObject({ sessions: 1, failures: [] });
});

it('counts a deleted session on while its ledger cannot be used, and after', async () => {
  const { home, catalogue } = homeWithClaude();
  await catalogue.refresh();
  const before = (await catalogue.usage()).total;
  const path = join(home, '.robota', 'usage-ledger.jsonl');
  mkdirSync(path);
  rmSync(claudePath(home, 'whole'));

  expect(await catalogue.refresh()).toMatchObject({ status: 'complete', removed: 0 });
  expect((await catalogue.usage()).total).toEqual(before);

  rmdirSync(path);
  expect(await catalogue.refresh()).toMatchObject({ removed: 1, failures: [] });
  expect((await catalogue.usage()).total).toEqual(before);
  expect(await catalogue.rebuild()).toMatchObject({ sessions: 0 });
  expect((await catalogue.usage()).total).toEqual(before);
});
