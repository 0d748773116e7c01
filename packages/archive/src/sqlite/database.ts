import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';

export type SqlValue = string | number | bigint | null | Uint8Array;

/** A row, whose columns are known to the statement that asked for it. */
export type SqlRow = Readonly<Record<string, string | number | null>>;

/** The part of `node:sqlite` that is used; the npm package has the same shape. */
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
  run(...values: SqlValue[]): { readonly lastInsertRowid: number | bigint };
}

/** One connection with its prepared statements. Everything in it is synchronous. */
export class CatalogueDatabase {
  readonly #connection: SqliteConnection;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(path: string) {
    createPrivately(path);
    this.#connection = new (loadDriver().DatabaseSync)(path);
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  prepare(sql: string): SqliteStatement {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#connection.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }

  run(sql: string, ...values: SqlValue[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  /** As `run`, for what is written a million times: an answer that nobody reads takes longer to make than a row to write. */
  write(sql: string, ...values: SqlValue[]): void {
    this.prepare(sql).get(...values);
  }

  row(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    // The driver gives plain objects; integers beyond what a number holds are never asked for.
    return this.prepare(sql).get(...values) as SqlRow | undefined;
  }

  rows(sql: string, ...values: SqlValue[]): readonly SqlRow[] {
    return this.prepare(sql).all(...values) as readonly SqlRow[];
  }

  close(): void {
    this.#statements.clear();
    this.#connection.close();
  }
}

/** The built-in module where Node has one, else the npm package, whose binary is then needed. */
function loadDriver(): SqliteDriver {
  const builtIn: unknown = process.getBuiltinModule('node:sqlite');
  // Both are typed by what their documentation promises; the built-in one is unknown to the types of older Node versions.
  if (builtIn !== undefined) return builtIn as SqliteDriver;
  return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver;
}

/** Only the owner may read what was said; the files that SQLite adds take over these rights. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** What SQLite says, because the driver gives numbers for some statements only. */
const DAMAGE = /malformed|not a database|corrupt/i;
const BUSY = /database is locked|database table is locked/i;

/** Whether the file itself is at fault, so that only another one helps. */
export function isDamage(error: unknown): boolean {
  return isSqliteError(error) && DAMAGE.test(error.message);
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && BUSY.test(error.message);
}

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, 'code') === 'ERR_SQLITE_ERROR';
}
