import { keyText } from '../key-text.ts';
import type { LeaseKeeper } from '../lease.ts';
import type { ReconnectPolicy } from '../retry.ts';
import type { TableNames } from '../sql/tables.ts';
import type { PostgresLink } from './link.ts';

/** Epoch milliseconds of the server's clock. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

/** The statements of the lease table; all are idempotent. */
export class PostgresLeases implements LeaseKeeper {
  readonly #link: PostgresLink;
  readonly #table: string;
  readonly #retry: ReconnectPolicy;

  constructor(link: PostgresLink, tables: TableNames, retry: ReconnectPolicy) {
    this.#link = link;
    this.#table = tables.leases;
    this.#retry = retry;
  }

  async take(key: string, holder: string, forMs: number): Promise<boolean> {
    const text =
      `INSERT INTO ${this.#table} AS held (key, holder, until) VALUES ($1, $2, ${NOW} + $3)` +
      ' ON CONFLICT (key) DO UPDATE SET holder = excluded.holder, until = excluded.until' +
      ` WHERE held.holder = excluded.holder OR held.until <= ${NOW} RETURNING key`;
    const rows = await this.#retry.run(`take the lock on ${key}`, () =>
      this.#link.query('repeatable', text, [keyText(key), holder, forMs]),
    );
    return rows.length === 1;
  }

  async release(key: string, holder: string): Promise<void> {
    const text = `DELETE FROM ${this.#table} WHERE key = $1 AND holder = $2`;
    await this.#retry.run(`release the lock on ${key}`, () =>
      this.#link.query('repeatable', text, [keyText(key), holder]),
    );
  }
}
