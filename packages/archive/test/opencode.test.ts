import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryHome } from './generated-home.ts';

interface Database {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: (string | number | null)[]): unknown };
  close(): void;
}

function openOpencode(home: string): Database {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => Database;
  };
  const path = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal;
    create table session (id text, parent_id text, directory text, title text, revert text, time_updated integer);
    create table message (id text, session_id text, data text);
    create table part (id text, message_id text, data text);`);
  onTestFinished(() => database.close());
  return database;
}

function say(database: Database, session: string, number: number): void {
  const time = { created: 1_793_000_000_000 + number * 1000 };
  const message = (id: string, data: object) =>
    database
      .prepare('insert into message values (?, ?, ?)')
      .run(id, session, JSON.stringify({ time, ...data }));
  const part = (id: string, messageId: string, text: string) =>
    database
      .prepare('insert into part values (?, ?, ?)')
      .run(id, messageId, JSON.stringify({ type: 'text', text }));
  message(`msg_${session}_${number}a`, { role: 'user' });
  part(
    `prt_${session}_${number}a`,
    `msg_${session}_${number}a`,
    `Question ${number} of ${session}`,
  );
  const tokens = { input: 10, output: 5, reasoning: 1, cache: { read: 2, write: 0 } };
  message(`msg_${session}_${number}b`, {
    role: 'assistant',
    modelID: 'own-model',
    cost: 0.25,
    tokens,
  });
  part(`prt_${session}_${number}b`, `msg_${session}_${number}b`, `Answer ${number}`);
}

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
