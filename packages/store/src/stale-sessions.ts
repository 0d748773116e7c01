import type { AtomicSessionStoreAdapter, SessionChange } from './atomic-session-store-adapter.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { expiredIfStale, suspendedIfIdle } from './lifecycle.ts';
import type { SessionQuery } from './session-query.ts';
import { hasStaleIndex, type StaleQuery } from './stale-session-index.ts';
import type { StoredSession } from './stored-session.ts';

/** Finds and changes stale sessions. Each is checked again in the atomic step that changes it. */
export class StaleSessions {
  readonly #adapter: AtomicSessionStoreAdapter;

  constructor(adapter: AtomicSessionStoreAdapter) {
    this.#adapter = adapter;
  }

  /** Suspends every active session idle for longer than `ttlMs`. */
  suspendAll(ttlMs: number): Promise<StoredSession[]> {
    const now = Date.now();
    const cutoff = now - ttlMs;
    return this.#changePages(
      (limit) => this.#fetchStale({ state: 'active', before: toIso(cutoff), limit }),
      (session) => suspendedIfIdle(session, cutoff, toIso(now)),
    );
  }

  /** Suspends idle sessions that match `query`. */
  suspendWithin(query: SessionQuery, ttlMs: number): Promise<StoredSession[]> {
    const now = Date.now();
    const cutoff = now - ttlMs;
    const idle: SessionQuery = { ...query, state: 'active', activeBefore: toIso(cutoff) };
    return this.#changePages(
      (limit) => this.#adapter.fetchMany({ ...idle, limit }),
      (session) => suspendedIfIdle(session, cutoff, toIso(now)),
    );
  }

  /** Expires every session suspended for longer than `ttlMs`. */
  expireAll(ttlMs: number): Promise<StoredSession[]> {
    const now = Date.now();
    const cutoff = now - ttlMs;
    return this.#changePages(
      (limit) => this.#fetchStale({ state: 'suspended', before: toIso(cutoff), limit }),
      (session) => expiredIfStale(session, cutoff, toIso(now)),
    );
  }

  async #fetchStale(query: StaleQuery): Promise<StoredSession[]> {
    if (hasStaleIndex(this.#adapter)) return this.#adapter.fetchStale(query);
    const filter: SessionQuery = { state: query.state, limit: Number.MAX_SAFE_INTEGER };
    return this.#adapter.fetchMany(filter);
  }

  /** Changed sessions no longer match, so the next page contains others. */
  async #changePages(
    fetchPage: (limit: number) => Promise<StoredSession[]>,
    change: SessionChange,
  ): Promise<StoredSession[]> {
    const changed: StoredSession[] = [];
    for (;;) {
      const page = await fetchPage(PAGE_SIZE);
      const changedNow = await this.#changeEach(page, change);
      changed.push(...changedNow);
      if (page.length !== PAGE_SIZE || changedNow.length === 0) return changed;
    }
  }

  async #changeEach(page: StoredSession[], change: SessionChange): Promise<StoredSession[]> {
    const changed: StoredSession[] = [];
    for (let start = 0; start < page.length; start += CONCURRENCY) {
      const batch = page.slice(start, start + CONCURRENCY);
      const results = await Promise.all(batch.map((session) => this.#changeOne(session, change)));
      changed.push(...results.filter((session) => session !== undefined));
    }
    return changed;
  }

  async #changeOne(
    session: StoredSession,
    change: SessionChange,
  ): Promise<StoredSession | undefined> {
    if (change(session) === undefined) return undefined;
    let hasChanged = false;
    const tracked: SessionChange = (current) => {
      const next = change(current);
      hasChanged = next !== undefined;
      return next;
    };
    try {
      const result = await this.#adapter.mutate(session.id, tracked);
      return hasChanged ? result : undefined;
    } catch (error) {
      // Deleted since the page was read.
      if (error instanceof SessionNotFoundError) return undefined;
      throw error;
    }
  }
}

const PAGE_SIZE = 500;
const CONCURRENCY = 32;
const EARLIEST = -8_640_000_000_000_000;

/** Clamps the cutoff of a very large TTL to the earliest valid date. */
function toIso(instant: number): string {
  return new Date(Math.max(instant, EARLIEST)).toISOString();
}
