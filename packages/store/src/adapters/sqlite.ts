import type { AtomicSessionStoreAdapter, SessionChange } from '../atomic-session-store-adapter.ts';
import { readInstant, readQuery, type SessionQuery } from '../session-query.ts';
import type { StaleQuery, StaleSessionIndex } from '../stale-session-index.ts';
import type { StoredSession } from '../stored-session.ts';
import { keyText } from './key-text.ts';
import { Leases } from './lease.ts';
import { patched } from './patched.ts';
import { ReconnectPolicy } from './retry.ts';
import { tableNames } from './sql/tables.ts';
import { SqliteDatabase, toSqliteError } from './sqlite/database.ts';
import { SqliteLeases } from './sqlite/leases.ts';
import { migrateSqlite } from './sqlite/schema.ts';
import { SqliteSessions } from './sqlite/sessions.ts';

/** Options of the SQLite adapter. */
export interface SqliteOptions {
  /** A file, created with its directory if missing, or `:memory:`. */
  readonly path: string;
  /** Milliseconds to wait for other writers; 10,000 by default. */
  readonly busyTimeoutMs?: number | undefined;
}

/** An open database with its statements. */
interface OpenDatabase {
  readonly database: SqliteDatabase;
  readonly sessions: SqliteSessions;
  readonly leases: SqliteLeases;
}

/** Stores sessions in one SQLite file that any number of local processes may share. */
export class SqliteSessionStoreAdapter implements AtomicSessionStoreAdapter, StaleSessionIndex {
  readonly #path: string;
  readonly #retry: ReconnectPolicy;
  readonly #leases: Leases;
  #opened: OpenDatabase | undefined;

  constructor(options: SqliteOptions | string) {
    const { path, busyTimeoutMs = 10_000 } =
      typeof options === 'string' ? { path: options } : options;
    this.#path = path;
    this.#retry = new ReconnectPolicy(busyTimeoutMs);
    this.#leases = new Leases({
      take: (key, holder, forMs) =>
        this.#run(`take the lock on ${key}`, ({ leases }) =>
          leases.take(keyText(key), holder, forMs),
        ),
      release: (key, holder) =>
        this.#run(`release the lock on ${key}`, ({ leases }) =>
          leases.release(keyText(key), holder),
        ),
    });
  }

  insert(session: StoredSession): Promise<void> {
    return this.#run(`create session ${session.id}`, ({ sessions }) => sessions.insert(session));
  }

  fetchById(sessionId: string): Promise<StoredSession | null> {
    return this.#run(`read session ${sessionId}`, ({ sessions }) => sessions.read(sessionId));
  }

  async fetchMany(query: SessionQuery): Promise<StoredSession[]> {
    const exact = readQuery(query);
    return this.#run('find sessions', ({ sessions }) => sessions.find(exact));
  }

  async fetchStale({ state, before, limit }: StaleQuery): Promise<StoredSession[]> {
    const cutoff = readInstant(before, 'before');
    return this.#run('find stale sessions', ({ sessions }) =>
      state === 'active'
        ? sessions.idleSince(cutoff, limit)
        : sessions.suspendedSince(cutoff, limit),
    );
  }

  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession> {
    return this.mutate(sessionId, (current) => patched(current, patch));
  }

  delete(sessionId: string): Promise<void> {
    return this.#run(`delete session ${sessionId}`, ({ sessions }) => sessions.delete(sessionId));
  }

  mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    return this.#run(`change session ${sessionId}`, ({ sessions }) =>
      sessions.mutate(sessionId, change),
    );
  }

  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#leases.serialize(key, work);
  }

  /** Closes the file; the next call opens it again. */
  async close(): Promise<void> {
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  #run<Result>(operation: string, work: (opened: OpenDatabase) => Result): Promise<Result> {
    return this.#retry.run(operation, async () => {
      try {
        this.#opened ??= openDatabase(this.#path);
        return work(this.#opened);
      } catch (error) {
        throw toSqliteError(operation, error);
      }
    });
  }
}

function openDatabase(path: string): OpenDatabase {
  const tables = tableNames();
  const database = new SqliteDatabase(path);
  try {
    migrateSqlite(database, tables);
  } catch (error) {
    database.close();
    throw error;
  }
  return {
    database,
    sessions: new SqliteSessions(database, tables),
    leases: new SqliteLeases(database, tables),
  };
}
