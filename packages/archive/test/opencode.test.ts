import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryHome } from './generated-home.ts';
import { openOpencode, say } from './opencode-home.ts';

it('reads the sessions of opencode from its database, and again only those that changed', async () => {
  const home = temporaryHome();
  const database = openOpencode(home);
  const insert = database.prepare('insert into session values (?, ?, ?, ?, ?, ?)');
  insert.run('ses_a', null, '/work', 'New session - 2026', null, 7);
  insert.run('ses_b', null, '/work', 'Given title', null, 8);
  insert.run('ses_c', 'ses_b', '/work', 'Child', null, 9);
  say(database, 'ses_a', 1);
  say(database, 'ses_b', 2);
  say(database, 'ses_c', 3);
  const catalogue = new SqliteCatalogue({ home, environment: {} });
  onTestFinished(() => catalogue.close());

  const first = await catalogue.refresh();
  say(database, 'ses_c', 4);
  const second = await catalogue.refresh();

  const { sessions } = await catalogue.list();
  const usage = await catalogue.usage({ by: 'session' });
  const found = await catalogue.search({ text: 'question ses_c' });
  expect([first.read, second.read]).toEqual([2, 1]);
  expect(sessions.map(({ id, title }) => [id, title]).sort()).toEqual([
    ['ses_a', 'Question 1 of ses_a'],
    ['ses_b', 'Given title'],
  ]);
  expect(usage.rows.map(({ key, requests, costUsd }) => [key, requests, costUsd])).toEqual([
    ['opencode:ses_b', 3, 0.75],
    ['opencode:ses_a', 1, 0.25],
  ]);
  expect(found.sessions[0]?.hits.map(({ thread }) => thread)).toEqual(['ses_c', 'ses_c']);
  expect(found.sessions[0]?.hits[0]?.snippet).toBe('Question 4 of ses_c');
});

it('takes a session of opencode for live while it is written, and a recorded price of zero for unknown', async () => {
  const home = temporaryHome();
  const database = openOpencode(home);
  database
    .prepare('insert into session values (?, ?, ?, ?, ?, ?)')
    .run('ses_a', null, '/work', 'Given title', null, 7);
  say(database, 'ses_a', 1, 0);
  let now = 1_793_000_011_000;
  const catalogue = new SqliteCatalogue({ home, environment: {}, now: () => now });
  onTestFinished(() => catalogue.close());
  await catalogue.refresh();

  const [busy] = (await catalogue.list()).sessions;
  now += 600_000;
  const [idle] = (await catalogue.list()).sessions;

  expect([busy?.isLive, idle?.isLive]).toEqual([true, false]);
  expect(idle).toMatchObject({ costUsd: 0, unpriced: 1 });
  expect(await catalogue.usage()).toMatchObject({
    total: { costUsd: 0, unpricedRequests: 1 },
    unpriced: [{ model: 'own-model', requests: 1 }],
  });
});
