import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** The part of a driver that the tests use. */
export interface OpencodeDatabase {
  exec(sql: string): void;
  prepare(sql: string): { run(...values: (string | number | null)[]): unknown };
  close(): void;
}

/** opencode's database in a home, with the columns that are read. */
export function openOpencode(home: string): OpencodeDatabase {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
    DatabaseSync: new (path: string) => OpencodeDatabase;
  };
  const path = join(home, '.local/share/opencode/opencode.db');
  mkdirSync(dirname(path), { recursive: true });
  const database = new DatabaseSync(path);
  database.exec(`pragma journal_mode = wal;
    create table session (id text, parent_id text, directory text, title text, revert text, time_updated integer);
    create table message (id text, session_id text, data text);
    create table part (id text, message_id text, data text);`);
  let isOpen = true;
  onTestFinished(() => {
    if (isOpen) database.close();
  });
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => database.prepare(sql),
    close() {
      isOpen = false;
      database.close();
    },
  };
}

/** A question and its answer. */
export function say(
  database: OpencodeDatabase,
  session: string,
  number: number,
  cost = 0.25,
): void {
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
    cost,
    tokens,
  });
  part(`prt_${session}_${number}b`, `msg_${session}_${number}b`, `Answer ${number}`);
}
