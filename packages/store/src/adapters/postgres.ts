import type { AtomicSessionStoreAdapter, SessionChange } from '../atomic-session-store-adapter.ts';
import { readInstant, readQuery, type SessionQuery } from '../session-query.ts';
import type { StaleQuery, StaleSessionIndex } from '../stale-session-index.ts';
import type { StoredSession } from '../stored-session.ts';
import { CompareAndSet } from './compare-and-set.ts';
import { Leases } from './lease.ts';
import { patched } from './patched.ts';
import { PostgresLeases } from './postgres/leases.ts';
import { PostgresLink, type Row } from './postgres/link.ts';
import { migratePostgres } from './postgres/schema.ts';
import { PostgresSessions } from './postgres/sessions.ts';
import { RetryPolicy } from './retry.ts';
import { fromRecord } from './session-record.ts';
import { FindStatements } from './sql/find-statement.ts';
import { type TableNames, tableNames } from './sql/tables.ts';

/** Where the server is and how long to try. */
export interface PostgresOptions {
  /** `postgres://…` */
  readonly url: string;
  /** The schema that holds the tables, created when missing; `robota` when absent. */
  readonly schema?: string | undefined;
  /** 10 when absent. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds to wait for one answer; 5,000 when absent. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to go on trying where it is safe; 3,000 when absent. */
  readonly retryForMs?: number | undefined;
}

/** Keeps sessions in PostgreSQL 12 or newer. */
export class PostgresSessionStoreAdapter implements AtomicSessionStoreAdapter, StaleSessionIndex {
  readonly #schema: string;
  readonly #tables: TableNames;
  readonly #finds: FindStatements;
  readonly #link: PostgresLink;
  readonly #retry: RetryPolicy;
  readonly #sessions: PostgresSessions;
  readonly #compareAndSet: CompareAndSet;
  readonly #leases: Leases;
  #ready: Promise<void> | undefined;

  constructor(options: PostgresOptions) {
    const { url, maxConnections = 10, timeoutMs = 5000 } = options;
    this.#schema = options.schema ?? 'robota';
    this.#tables = tableNames(this.#schema);
    this.#finds = new FindStatements({ ...this.#tables, parameter: (number) => `$${number}` });
    this.#link = new PostgresLink({ url, maxConnections, timeoutMs });
    this.#retry = new RetryPolicy(options.retryForMs ?? 3000);
    this.#sessions = new PostgresSessions(this.#link, this.#tables);
    this.#compareAndSet = new CompareAndSet(this.#sessions, this.#retry);
    this.#leases = new Leases(new PostgresLeases(this.#link, this.#tables, this.#retry));
  }

  async insert(session: StoredSession): Promise<void> {
    await this.#open();
    await this.#compareAndSet.insert(session);
  }

  async fetchById(sessionId: string): Promise<StoredSession | null> {
    await this.#open();
    const stored = await this.#compareAndSet.read(sessionId);
    return stored?.session ?? null;
  }

  async fetchMany(query: SessionQuery): Promise<StoredSession[]> {
    const exact = readQuery(query);
    if (exact.states.length === 0) return [];
    const { text, values } = this.#finds.write(exact);
    return this.#find(text, values);
  }

  async fetchStale({ state, before, limit }: StaleQuery): Promise<StoredSession[]> {
    const cutoff = readInstant(before, 'before');
    const from = `SELECT record FROM ${this.#tables.sessions} WHERE state =`;
    return state === 'active'
      ? this.#find(`${from} 'active' AND activity_key > $1 ORDER BY activity_key LIMIT $2`, [
          -cutoff,
          limit,
        ])
      : this.#find(`${from} 'suspended' AND changed_at < $1 ORDER BY changed_at LIMIT $2`, [
          cutoff,
          limit,
        ]);
  }

  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession> {
    return this.mutate(sessionId, (current) => patched(current, patch));
  }

  /** Safe to repeat, since a session that is gone stays gone. */
  async delete(sessionId: string): Promise<void> {
    await this.#open();
    await this.#retry.run(`delete session ${sessionId}`, () => this.#sessions.delete(sessionId));
  }

  async mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    await this.#open();
    return this.#compareAndSet.mutate(sessionId, change);
  }

  async serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#open();
    return this.#leases.serialize(key, work);
  }

  /** Ends the connections, waiting up to a second for requests under way. */
  close(): Promise<void> {
    return this.#link.close();
  }

  async #find(text: string, values: readonly (string | number)[]): Promise<StoredSession[]> {
    await this.#open();
    const rows = await this.#retry.run('find sessions', () =>
      this.#link.query('read', text, values),
    );
    return rows.map((row: Row) => fromRecord(row.record));
  }

  /** Tried again by the next call when it fails. */
  #open(): Promise<void> {
    this.#ready ??= this.#retry
      .run('open the session database', () =>
        migratePostgres(this.#link, this.#schema, this.#tables),
      )
      .catch((error: unknown) => {
        this.#ready = undefined;
        throw error;
      });
    return this.#ready;
  }
}
