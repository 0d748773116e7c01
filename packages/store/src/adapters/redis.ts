import type { AtomicSessionStoreAdapter, SessionChange } from '../atomic-session-store-adapter.ts';
import { SessionRecordError } from '../errors/session-record-error.ts';
import { readInstant, readQuery, type SessionQuery } from '../session-query.ts';
import type { StaleQuery, StaleSessionIndex } from '../stale-session-index.ts';
import type { StoredSession } from '../stored-session.ts';
import { CompareAndSet, type Revision } from './compare-and-set.ts';
import { Leases } from './lease.ts';
import { patched } from './patched.ts';
import { MEMBER_PREFIX_LENGTH, RedisKeys } from './redis/keys.ts';
import { RedisLink } from './redis/link.ts';
import { RedisSessions } from './redis/sessions.ts';
import { ReconnectPolicy } from './retry.ts';
import { fromRecord } from './session-record.ts';

/** Options of the Redis adapter. */
export interface RedisOptions {
  /** `redis://…` or `rediss://…`. */
  readonly url: string;
  /** Prefix of every key; the braces keep all keys on one cluster node. `{robota}:` by default. */
  readonly keyPrefix?: string | undefined;
  /** Milliseconds to wait for one response; 5,000 by default. */
  readonly timeoutMs?: number | undefined;
  /** Milliseconds to retry where that is safe; 3,000 by default. */
  readonly retryForMs?: number | undefined;
}

/** Version of the key layout; incremented when it changes. */
const SCHEMA_VERSION = 1;

/** Stores sessions in Redis 5 or later: a hash per session and a sorted set per filter and state. */
export class RedisSessionStoreAdapter implements AtomicSessionStoreAdapter, StaleSessionIndex {
  readonly #keys: RedisKeys;
  readonly #link: RedisLink;
  readonly #retry: ReconnectPolicy;
  readonly #sessions: RedisSessions;
  readonly #compareAndSet: CompareAndSet;
  readonly #leases: Leases;
  #ready: Promise<void> | undefined;

  constructor(options: RedisOptions) {
    this.#keys = new RedisKeys(options.keyPrefix ?? '{robota}:');
    this.#link = new RedisLink(options.url, options.timeoutMs ?? 5000);
    this.#retry = new ReconnectPolicy(options.retryForMs ?? 3000);
    this.#sessions = new RedisSessions(this.#link, this.#keys);
    this.#compareAndSet = new CompareAndSet(this.#sessions, this.#retry);
    this.#leases = new Leases({
      take: (key, holder, forMs) => this.#takeLease(key, holder, forMs),
      release: (key, holder) => this.#releaseLease(key, holder),
    });
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
    await this.#open();
    const setsOfStates = exact.states.map((state) => this.#keys.setsFor(exact, state));
    const lowest = exact.activeBefore === undefined ? '-inf' : `(${-exact.activeBefore}`;
    const highest = exact.activeAfter === undefined ? '+inf' : `(${-exact.activeAfter}`;
    return this.#find(setsOfStates, [lowest, highest, exact.limit]);
  }

  async fetchStale({ state, before, limit }: StaleQuery): Promise<StoredSession[]> {
    const cutoff = readInstant(before, 'before');
    await this.#open();
    if (state === 'suspended') {
      return this.#find([[this.#keys.suspended]], ['-inf', `(${cutoff}`, limit]);
    }
    return this.#find([[this.#keys.byState('active')]], [`(${-cutoff}`, '+inf', limit]);
  }

  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession> {
    return this.mutate(sessionId, (current) => patched(current, patch));
  }

  /** Idempotent, since a deleted session is never recreated. */
  async delete(sessionId: string): Promise<void> {
    await this.#open();
    await this.#retry.run(`delete session ${sessionId}`, async () => {
      let current: Revision | null;
      do current = await this.#sessions.read(sessionId);
      while (current !== null && !(await this.#sessions.remove(current)));
    });
  }

  async mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    await this.#open();
    return this.#compareAndSet.mutate(sessionId, change);
  }

  async serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    await this.#open();
    return this.#leases.serialize(key, work);
  }

  /** Closes the connection; pending requests fail. */
  async close(): Promise<void> {
    this.#link.close();
  }

  async #find(
    setsOfStates: readonly string[][],
    [lowest, highest, limit]: readonly [string, string, number],
  ): Promise<StoredSession[]> {
    const width = setsOfStates[0]?.length ?? 0;
    if (width === 0) return [];
    const args = [width, lowest, highest, limit, this.#keys.sessionPrefix, MEMBER_PREFIX_LENGTH];
    const records = await this.#retry.run('find sessions', () =>
      this.#link.script('read', 'robotaFindSessions', setsOfStates.flat(), args),
    );
    return (records as readonly unknown[]).map((text) => fromRecord(text));
  }

  async #takeLease(key: string, holder: string, forMs: number): Promise<boolean> {
    const taken = await this.#retry.run(`take the lock on ${key}`, () =>
      this.#link.script('repeatable', 'robotaTakeLease', [this.#keys.lease(key)], [holder, forMs]),
    );
    return taken === 1;
  }

  async #releaseLease(key: string, holder: string): Promise<void> {
    await this.#retry.run(`release the lock on ${key}`, () =>
      this.#link.script('repeatable', 'robotaReleaseLease', [this.#keys.lease(key)], [holder]),
    );
  }

  /** Retried by the next call after a failure. */
  #open(): Promise<void> {
    this.#ready ??= this.#checkSchema().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #checkSchema(): Promise<void> {
    const { client } = this.#link;
    const version = await this.#retry.run('open the session database', () =>
      this.#link.send('repeatable', async () => {
        await client.setnx(this.#keys.schema, SCHEMA_VERSION);
        return client.get(this.#keys.schema);
      }),
    );
    if (Number(version) <= SCHEMA_VERSION) return;
    throw new SessionRecordError(
      `the session database: its layout is version ${version}, and this program knows ${SCHEMA_VERSION}; update it`,
    );
  }
}
