import type { AtomicSessionStoreAdapter, SessionChange } from './atomic-session-store-adapter.ts';
import { SessionConflictError } from './errors/session-conflict-error.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import { byNewestActivity, matchesQuery } from './match-session.ts';
import { readQuery, type SessionQuery } from './session-query.ts';
import type { SessionStoreAdapter } from './session-store-adapter.ts';
import type { StoredSession } from './stored-session.ts';

/** One mutex per adapter, shared by all stores that use it. */
const mutexes = new WeakMap<SessionStoreAdapter, KeyedMutex>();

/** Makes a five-method adapter atomic within this process; other processes are not excluded. */
export class SerializingAdapter implements AtomicSessionStoreAdapter {
  readonly #adapter: SessionStoreAdapter;
  readonly #mutex: KeyedMutex;

  constructor(adapter: SessionStoreAdapter) {
    this.#adapter = adapter;
    this.#mutex = mutexes.get(adapter) ?? new KeyedMutex();
    mutexes.set(adapter, this.#mutex);
  }

  insert(session: StoredSession): Promise<void> {
    return this.#mutex.run(`session:${session.id}`, async () => {
      const existing = await this.#adapter.fetchById(session.id);
      if (existing !== null) throw new SessionConflictError(session.id);
      await this.#adapter.insert(session);
    });
  }

  fetchById(sessionId: string): Promise<StoredSession | null> {
    return this.#adapter.fetchById(sessionId);
  }

  /** Queries without a limit, because the spec lets an adapter apply it before sorting. */
  async fetchMany(query: SessionQuery): Promise<StoredSession[]> {
    const exact = readQuery(query);
    const { activeBefore: _unsupported, ...known } = query;
    const all = await this.#adapter.fetchMany({ ...known, limit: Number.MAX_SAFE_INTEGER });
    return all
      .filter((session) => matchesQuery(session, exact))
      .sort(byNewestActivity)
      .slice(0, exact.limit);
  }

  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession> {
    return this.#mutex.run(`session:${sessionId}`, () => this.#adapter.update(sessionId, patch));
  }

  delete(sessionId: string): Promise<void> {
    return this.#mutex.run(`session:${sessionId}`, () => this.#adapter.delete(sessionId));
  }

  mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    return this.#mutex.run(`session:${sessionId}`, async () => {
      const current = await this.#adapter.fetchById(sessionId);
      if (current === null) throw new SessionNotFoundError(sessionId);
      const next = change(current);
      if (next === undefined) return current;
      return this.#adapter.update(sessionId, changedFields(current, next));
    });
  }

  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(`key:${key}`, work);
  }
}

function changedFields(current: StoredSession, next: StoredSession): Partial<StoredSession> {
  const before = new Map(Object.entries(current));
  return Object.fromEntries(
    Object.entries(next).filter(([field, value]) => before.get(field) !== value),
  );
}
