import { closeSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { SessionStoreUnavailableError } from '../../errors/session-store-unavailable-error.ts';
import { LinkLostError } from '../retry.ts';

export type SqlValue = string | number | null;

/** The used part of `node:sqlite`; the npm package has the same shape. */
interface SqliteDriver {
  readonly DatabaseSync: new (path: string) => SqliteConnection;
}

interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  get(...values: SqlValue[]): unknown;
  all(...values: SqlValue[]): unknown[];
  run(...values: SqlValue[]): { readonly changes: number | bigint };
}

/** One connection with its prepared statements. Synchronous. */
export class SqliteDatabase {
  readonly #connection: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(path: string) {
    if (path !== ':memory:') createPrivateFile(path);
    this.#connection = new (loadDriver().DatabaseSync)(path);
    // Short, because SQLite blocks the whole process while it waits; longer waits are asynchronous.
    this.#connection.exec('PRAGMA busy_timeout = 50');
    this.#connection.exec('PRAGMA journal_mode = WAL');
    this.#connection.exec('PRAGMA synchronous = NORMAL');
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  /** Runs `work` in a transaction that excludes other writers. */
  transaction<Result>(work: () => Result): Result {
    this.prepare('BEGIN IMMEDIATE').run();
    try {
      const result = work();
      this.prepare('COMMIT').run();
      return result;
    } catch (error) {
      this.#connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

/** The built-in module if Node has one, else the npm package, which needs a native binary. */
function loadDriver(): SqliteDriver {
  const builtIn: unknown = process.getBuiltinModule('node:sqlite');
  // Typed by their documentation; the types of older Node versions lack the built-in module.
  if (builtIn !== undefined) return builtIn as SqliteDriver;
  return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver;
}

/** Readable only by the owner; files added by SQLite inherit the permissions. */
function createPrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
}

const SQLITE_BUSY = 5;
const SQLITE_LOCKED = 6;
const SQLITE_CANTOPEN = 14;

/** Classifies an SQLite error by whether a retry may help. Nothing was written in either case. */
export function toSqliteError(operation: string, error: unknown): unknown {
  const code = primaryCode(error);
  if (code === SQLITE_BUSY || code === SQLITE_LOCKED)
    return new LinkLostError(false, { cause: error });
  if (code === undefined) return error;
  return new SessionStoreUnavailableError(operation, { outcome: 'none', cause: error });
}

/** Extended SQLite codes contain the primary code in their low byte; file system errors count as CANTOPEN. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined;
  const code: unknown = Reflect.get(error, 'errcode');
  if (typeof code === 'number') return code & 0xff;
  return Reflect.has(error, 'syscall') ? SQLITE_CANTOPEN : undefined;
}
