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
import { ReconnectPolicy } from './retry.ts';
import { fromRecord } from './session-record.ts';
import { FindStatements } from './sql/find-statement.ts';
import { type TableNames, tableNames } from './sql/tables.ts';

/** Options of the PostgreSQL adapter. */
export interface PostgresOptions {
  /** `postgres://…` */
  readonly url: string;
  /** The schema of the tables, created if missing; `robota` by default. */
  readonly schema?: string | undefined;
  /** 10 by default. */
  readonly maxConnections?: number | undefined;
  /** Milliseconds to wait for one response; 5,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to retry where that is safe; 3,000 by default. */
  readonly retryForMs?: number | undefined;
}

/** Stores sessions in PostgreSQL 12 or later. */
export class PostgresSessionStoreAdapter implements AtomicSessionStoreAdapter, StaleSessionIndex {
  readonly #schema: string;
  readonly #tables: TableNames;
  readonly #finds: FindStatements;
  readonly #link: PostgresLink;
  readonly #retry: ReconnectPolicy;
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
    this.#retry = new ReconnectPolicy(options.retryForMs ?? 3000);
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

  /** Idempotent, since a deleted session is never recreated. */
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

  /** Closes the connections, waiting up to a second for pending requests. */
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

  /** Retried by the next call after a failure. */
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
