import { SessionRecordError } from '../../errors/session-record-error.ts';
import { migrations, type TableNames } from '../sql/tables.ts';
import type { PostgresLink } from './link.ts';

/** An arbitrary id for the advisory lock. */
const MIGRATION_LOCK = 7_262_683_001;

/** Migrates the tables under a lock, so that any number of processes may start concurrently. */
export async function migratePostgres(
  link: PostgresLink,
  schema: string,
  tables: TableNames,
): Promise<void> {
  await link.transaction(async (run) => {
    await run(`SELECT pg_advisory_xact_lock(${MIGRATION_LOCK})`);
    await run(`CREATE SCHEMA IF NOT EXISTS "${schema.replaceAll('"', '""')}"`);
    await run(`CREATE TABLE IF NOT EXISTS ${tables.schema} (version integer NOT NULL)`);
    const steps = migrations(tables, { text: 'text COLLATE "C"', time: 'bigint' });
    const [row] = await run(`SELECT coalesce(max(version), 0) AS version FROM ${tables.schema}`);
    const version = Number(row?.version);
    if (version > steps.length) {
      throw new SessionRecordError(
        `the session database: its layout is version ${version}, and this program knows ${steps.length}; update it`,
      );
    }
    for (const statement of steps.slice(version).flat()) await run(statement);
    if (version === steps.length) return;
    await run(`DELETE FROM ${tables.schema}`);
    await run(`INSERT INTO ${tables.schema} (version) VALUES (${steps.length})`);
  });
}
