import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import postgres from 'postgres';
import { writeStatements } from '../../packages/store/src/adapters/postgres/sessions.ts';
import { timesOf, toRecord } from '../../packages/store/src/adapters/session-record.ts';
import { FindStatements } from '../../packages/store/src/adapters/sql/find-statement.ts';
import { type TableNames, tableNames } from '../../packages/store/src/adapters/sql/tables.ts';
import { readQuery } from '../../packages/store/src/session-query.ts';
import { createPostgresDatabase } from '../../packages/store/test/databases/create.ts';
import { findPostgres } from '../../packages/store/test/databases/servers.ts';
import { type LoadedDatabase, type RawDriver, storeRows } from './rows.ts';
import { benchSession, idOf } from './sessions.ts';

const server = await findPostgres();
if (server === undefined)
  console.error('*** NOT RUN: the rows on PostgreSQL; set ROBOTA_TEST_POSTGRES_URL. ***');

export const rows =
  server === undefined
    ? []
    : storeRows({ name: 'PostgreSQL', target: 0.7, load: (count) => load(server.url, count) });

async function load(url: string, count: number): Promise<LoadedDatabase> {
  const shared = createPostgresDatabase(url);
  const adapter = shared.connect();
  await adapter.fetchById('creates the tables');
  if (shared.address.kind !== 'postgres') throw new Error('The PostgreSQL database is not one');
  const tables = tableNames(shared.address.schema);
  const sql = postgres(url, { max: 4, fetch_types: false, onnotice: () => undefined });
  await copy(sql, tables.sessions, count, (index) => {
    const { id, userId, workspaceId = '\\N', state } = benchSession(index);
    const { activityKey, creationKey, changedAt } = timesOf(benchSession(index));
    const text = toRecord(benchSession(index));
    return [id, userId, workspaceId, state, activityKey, creationKey, changedAt, 'loaded', text];
  });
  await copy(sql, tables.surfaces, count, (index) => {
    const { activityKey, creationKey } = timesOf(benchSession(index));
    return [idOf(index), `web-${index}`, benchSession(index).state, activityKey, creationKey];
  });
  await sql.unsafe(`VACUUM ANALYZE ${tables.sessions}, ${tables.surfaces}`);
  return {
    adapter,
    raw: rawDriver(sql, tables),
    async drop() {
      await sql.end();
      await shared.drop();
    },
  };
}

async function copy(
  sql: postgres.Sql,
  table: string,
  count: number,
  valuesOf: (index: number) => readonly (string | number)[],
): Promise<void> {
  const stream = await sql.unsafe(`COPY ${table} FROM STDIN`).writable();
  for (let index = 0; index < count; index++) {
    if (!stream.write(`${valuesOf(index).join('\t')}\n`)) await once(stream, 'drain');
  }
  stream.end();
  await finished(stream);
}

function rawDriver(sql: postgres.Sql, tables: TableNames): RawDriver {
  const statements = writeStatements(tables);
  const query = (text: string, values: (string | number | null)[]) =>
    sql.unsafe(text, values, { prepare: true });
  const finds = new FindStatements({ ...tables, parameter: (number) => `$${number}` });
  const find = finds.write(readQuery({ userId: 'any' }));
  const replace = async (index: number, key: number, surfaces: string[]): Promise<void> => {
    const session = benchSession(index);
    const { changedAt, creationKey } = timesOf(session);
    const id = idOf(index);
    const [row] = await query(`SELECT record, revision FROM ${tables.sessions} WHERE id = $1`, [
      id,
    ]);
    await query(statements.replaceWithSlots, [
      id,
      String(row?.revision),
      crypto.randomUUID(),
      `workspace-${index % 1000}`,
      'active',
      key,
      changedAt,
      toRecord(session),
      creationKey,
      JSON.stringify(surfaces),
    ]);
  };

  return {
    touch: (index) => replace(index, -Date.now(), [`web-${index}`]),
    attach: (index, step) =>
      replace(index, timesOf(benchSession(index)).activityKey, [`web-${index}`, `new-${step}`]),
    findByUser: (userId) =>
      query(
        find.text,
        find.values.map((value) => (value === 'any' ? userId : value)),
      ),
  };
}
