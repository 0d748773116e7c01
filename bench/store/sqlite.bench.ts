import { timesOf, toRecord } from '../../packages/store/src/adapters/session-record.ts';
import { FindStatements } from '../../packages/store/src/adapters/sql/find-statement.ts';
import { tableNames } from '../../packages/store/src/adapters/sql/tables.ts';
import { SqliteDatabase } from '../../packages/store/src/adapters/sqlite/database.ts';
import { readQuery } from '../../packages/store/src/session-query.ts';
import { createSqliteDatabase } from '../../packages/store/test/databases/create.ts';
import { type LoadedDatabase, type RawDriver, storeRows } from './rows.ts';
import { benchSession, idOf } from './sessions.ts';

export const rows = storeRows({ name: 'SQLite', target: 0.7, load });

async function load(count: number): Promise<LoadedDatabase> {
  const shared = createSqliteDatabase();
  const adapter = shared.connect();
  await adapter.fetchById('creates the tables');
  if (shared.address.kind !== 'sqlite') throw new Error('The SQLite database is not one');
  const database = new SqliteDatabase(shared.address.path);
  fill(database, count);
  return {
    adapter,
    raw: rawDriver(database),
    async drop() {
      database.close();
      await shared.drop();
    },
  };
}

function fill(database: SqliteDatabase, count: number): void {
  const session = database.prepare(
    'INSERT INTO robota_sessions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
  );
  const surface = database.prepare('INSERT INTO robota_session_surfaces VALUES (?, ?, ?, ?, ?)');
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      const { id, userId, workspaceId = null, state } = benchSession(index);
      const { activityKey, creationKey, changedAt } = timesOf(benchSession(index));
      const text = toRecord(benchSession(index));
      session.run(id, userId, workspaceId, state, activityKey, creationKey, changedAt, '', text);
      surface.run(id, `web-${index}`, state, activityKey, creationKey);
    }
  });
}

function rawDriver(database: SqliteDatabase): RawDriver {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const read = database.prepare('SELECT record FROM robota_sessions WHERE id = ?');
  const write = database.prepare(
    'UPDATE robota_sessions SET workspace_id = ?, state = ?, activity_key = ?, changed_at = ?, record = ? WHERE id = ?',
  );
  const refresh = database.prepare(
    'UPDATE robota_session_surfaces SET state = ?, activity_key = ? WHERE id = ?',
  );
  const free = database.prepare('DELETE FROM robota_session_surfaces WHERE id = ?');
  const take = database.prepare('INSERT INTO robota_session_surfaces VALUES (?, ?, ?, ?, ?)');
  const finds = new FindStatements({ ...tableNames(), parameter: (number) => `?${number}` });
  const { text: findText, values } = finds.write(readQuery({ userId: 'any' }));
  const find = database.prepare(findText);
  const replace = (index: number, key: number): void => {
    const session = benchSession(index);
    begin.run();
    read.get(idOf(index));
    const [workspace, { changedAt }] = [session.workspaceId ?? null, timesOf(session)];
    write.run(workspace, 'active', key, changedAt, toRecord(session), idOf(index));
  };

  return {
    touch(index) {
      const key = -Date.now();
      replace(index, key);
      refresh.run('active', key, idOf(index));
      commit.run();
    },
    attach(index, step) {
      const { activityKey, creationKey } = timesOf(benchSession(index));
      replace(index, activityKey);
      free.run(idOf(index));
      take.run(idOf(index), `web-${index}`, 'active', activityKey, creationKey);
      take.run(idOf(index), `new-${step}`, 'active', activityKey, creationKey);
      commit.run();
    },
    findByUser(userId) {
      find.all(...values.map((value) => (value === 'any' ? userId : value)));
    },
  };
}
