import type { AtomicSessionStoreAdapter, SessionChange } from '../atomic-session-store-adapter.ts';
import { SessionConflictError } from '../errors/session-conflict-error.ts';
import { SessionNotFoundError } from '../errors/session-not-found-error.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import { byNewestActivity, matchesQuery } from '../match-session.ts';
import { type ExactQuery, readInstant, readQuery, type SessionQuery } from '../session-query.ts';
import type { StaleQuery, StaleSessionIndex } from '../stale-session-index.ts';
import type { StoredSession } from '../stored-session.ts';
import { patched } from './patched.ts';

/** Keeps sessions in memory, for tests and single-process programs. */
export class InMemorySessionStoreAdapter implements AtomicSessionStoreAdapter, StaleSessionIndex {
  readonly #sessions = new Map<string, StoredSession>();
  readonly #byUser = new Map<string, Set<string>>();
  readonly #mutex = new KeyedMutex();

  async insert(session: StoredSession): Promise<void> {
    if (this.#sessions.has(session.id)) throw new SessionConflictError(session.id);
    this.#put(session);
    const ofUser = this.#byUser.get(session.userId) ?? new Set();
    this.#byUser.set(session.userId, ofUser.add(session.id));
  }

  async fetchById(sessionId: string): Promise<StoredSession | null> {
    return structuredClone(this.#sessions.get(sessionId) ?? null);
  }

  async fetchMany(query: SessionQuery): Promise<StoredSession[]> {
    const exact = readQuery(query);
    return this.#candidates(exact)
      .filter((session) => matchesQuery(session, exact))
      .sort(byNewestActivity)
      .slice(0, exact.limit)
      .map((session) => structuredClone(session));
  }

  async fetchStale({ state, before, limit }: StaleQuery): Promise<StoredSession[]> {
    const cutoff = readInstant(before, 'before');
    const isStale = (session: StoredSession): boolean =>
      session.state === state && staleSince(session) < cutoff;
    const stale = [...this.#sessions.values()].filter(isStale);
    return stale.slice(0, limit).map((session) => structuredClone(session));
  }

  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession> {
    return this.mutate(sessionId, (current) => patched(current, patch));
  }

  async delete(sessionId: string): Promise<void> {
    const session = this.#sessions.get(sessionId);
    if (session === undefined) return;
    this.#sessions.delete(sessionId);
    const ofUser = this.#byUser.get(session.userId);
    ofUser?.delete(sessionId);
    if (ofUser?.size === 0) this.#byUser.delete(session.userId);
  }

  /** Atomic, because there is no `await` between reading and writing. */
  async mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    const current = this.#sessions.get(sessionId);
    if (current === undefined) throw new SessionNotFoundError(sessionId);
    const next = change(structuredClone(current));
    if (next !== undefined) this.#put(next);
    return structuredClone(next ?? current);
  }

  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#mutex.run(key, work);
  }

  #put(session: StoredSession): void {
    readInstant(session.createdAt, 'createdAt');
    readInstant(session.lastActivityAt, 'lastActivityAt');
    this.#sessions.set(session.id, structuredClone(session));
  }

  #candidates({ userId }: ExactQuery): StoredSession[] {
    if (userId === undefined) return [...this.#sessions.values()];
    const ids = [...(this.#byUser.get(userId) ?? [])];
    return ids.map((id) => this.#sessions.get(id)).filter((session) => session !== undefined);
  }
}

function staleSince(session: StoredSession): number {
  if (session.state === 'active') return Date.parse(session.lastActivityAt);
  return Date.parse(session.stateChangedAt ?? session.lastActivityAt);
}
