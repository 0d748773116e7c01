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

  /**
   * With `get`, because building the result of the driver's `run` costs more than writing a row, and some versions throw
   * when the last row number is beyond the safe range, as those inside the index of words are.
   */
  run(sql: string, ...values: SqlValue[]): void {
    this.prepare(sql).get(...values);
  }

  /** The number of the inserted row. */
  insert(sql: string, ...values: SqlValue[]): number {
    return Number(this.prepare(sql).run(...values).lastInsertRowid);
  }

  row(sql: string, ...values: SqlValue[]): SqlRow | undefined {
    // The driver returns plain objects; integers beyond the safe range are never selected.
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

/** Node's built-in module if it has one, else the npm package with its native binary. */
function loadDriver(): SqliteDriver {
  const builtIn: unknown = process.getBuiltinModule('node:sqlite');
  // Cast to the documented interface; types of older Node versions do not know the built-in module.
  if (builtIn !== undefined) return builtIn as SqliteDriver;
  return createRequire(import.meta.url)('@photostructure/sqlite') as SqliteDriver;
}

/** Only the owner may read transcripts' text; the files that SQLite adds inherit these permissions. */
function createPrivately(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

/** Matched by message, because the driver reports error numbers for some statements only. */
const DAMAGE = /malformed|not a database|corrupt/i;
const BUSY = /database is locked|database table is locked/i;

/** Whether the file itself is damaged and must be replaced. */
export function isDamage(error: unknown): boolean {
  return isSqliteError(error) && DAMAGE.test(error.message);
}

export function isBusy(error: unknown): boolean {
  return isSqliteError(error) && BUSY.test(error.message);
}

function isSqliteError(error: unknown): error is Error {
  return error instanceof Error && Reflect.get(error, 'code') === 'ERR_SQLITE_ERROR';
}
