import type { TableNames } from '../sql/tables.ts';
import type { SqliteDatabase } from './database.ts';

/** Epoch milliseconds of SQLite's clock. */
const NOW = `CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)`;

/** The statements of the lease table. */
export class SqliteLeases {
  readonly #database: SqliteDatabase;
  readonly #table: string;

  constructor(database: SqliteDatabase, tables: TableNames) {
    this.#database = database;
    this.#table = tables.leases;
  }

  take(key: string, holder: string, forMs: number): boolean {
    const { changes } = this.#database
      .prepare(
        `INSERT INTO ${this.#table} AS held (key, holder, until) VALUES (?, ?, ${NOW} + ?)
          ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, until = excluded.until
          WHERE held.holder = excluded.holder OR held.until <= ${NOW}`,
      )
      .run(key, holder, forMs);
    return Number(changes) === 1;
  }

  release(key: string, holder: string): void {
    this.#database
      .prepare(`DELETE FROM ${this.#table} WHERE key = ? AND holder = ?`)
      .run(key, holder);
  }
}
