import { SessionRecordError } from '../../errors/session-record-error.ts';
import { migrations, type TableNames } from '../sql/tables.ts';
import type { SqliteDatabase } from './database.ts';

/** Migrates the tables in one transaction, so that any number of processes may open a new file concurrently. */
export function migrateSqlite(database: SqliteDatabase, tables: TableNames): void {
  database.transaction(() => {
    const run = (sql: string): void => void database.prepare(sql).run();
    run(`CREATE TABLE IF NOT EXISTS ${tables.schema} (version INTEGER NOT NULL)`);
    const steps = migrations(tables, { text: 'TEXT', time: 'INTEGER' });
    const version = readVersion(database, tables);
    if (version > steps.length) {
      throw new SessionRecordError(
        `the session database: its layout is version ${version}, and this program knows ${steps.length}; update it`,
      );
    }
    for (const step of steps.slice(version)) step.forEach(run);
    if (version === steps.length) return;
    run(`DELETE FROM ${tables.schema}`);
    database.prepare(`INSERT INTO ${tables.schema} (version) VALUES (?)`).run(steps.length);
  });
}

function readVersion(database: SqliteDatabase, tables: TableNames): number {
  const row = database.prepare(`SELECT max(version) AS version FROM ${tables.schema}`).get();
  return Number((row as { version: number | null } | undefined)?.version ?? 0);
}
