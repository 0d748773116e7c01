import type { MetadataLayout } from './metadata-layout.ts';
import type { SessionQuery } from './session-query.ts';
import type { SessionStoreAdapter } from './session-store-adapter.ts';
import type { CreateSessionInput, StoredSession } from './stored-session.ts';

/** Sessions by id and by query, and every change that a session can go through. */
export interface SessionStore {
  /** Throws SessionConflictError when the id is taken. */
  create(input: CreateSessionInput): Promise<StoredSession>;
  /** `null` when there is none; expired sessions are returned. */
  get(sessionId: string): Promise<StoredSession | null>;
  /** Newest activity first, then newest creation, then id. */
  find(query: SessionQuery): Promise<StoredSession[]>;
  /** A message came in: makes the session active. Throws SessionStateError when it has expired. */
  touch(sessionId: string): Promise<StoredSession>;
  /** Does nothing when attached already. */
  attachSurface(sessionId: string, surfaceId: string): Promise<StoredSession>;
  /** Does nothing when not attached. */
  detachSurface(sessionId: string, surfaceId: string): Promise<StoredSession>;
  /** Ends the session for good, from any state; does nothing when it has ended already. */
  expire(sessionId: string): Promise<StoredSession>;
  /** Suspends active sessions silent for longer than the TTL, and returns the sessions it changed. Meant to be called on a schedule. */
  sweepStale(ttlMs?: number): Promise<StoredSession[]>;
  /** Merges one level deep; a key given as `undefined` is removed. */
  updateMetadata(sessionId: string, metadata: Record<string, unknown>): Promise<StoredSession>;
}

/** What `createSessionStore` gives beyond the contract. */
export interface AtomicSessionStore extends SessionStore {
  /** Deletes an expired session. Throws SessionStateError when it has not expired. */
  purge(sessionId: string): Promise<void>;
  /** Runs one holder of `key` at a time, across all processes when the adapter is atomic. Must not be nested. */
  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** What a store is made of. */
export interface SessionStoreConfig {
  adapter: SessionStoreAdapter;
  /** Milliseconds without activity before a sweep suspends a session; one hour when absent. */
  defaultTtlMs?: number;
  /** Milliseconds a session may stay suspended before a sweep expires it; for ever when absent. */
  suspendedTtlMs?: number;
  /** `exclusive`: attaching a surface takes it from the session that had it. `shared` when absent. */
  surfaceSlots?: 'shared' | 'exclusive';
  /** How many surfaces a session may have; no limit when absent. */
  maxSurfaces?: number;
  /** Suspends silent sessions also when `get` or `find` come across them; false when absent. */
  staleOnRead?: boolean;
  /** Brings metadata of older releases up to date when it is read. */
  metadata?: MetadataLayout;
}
