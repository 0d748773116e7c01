import type { MetadataLayout } from './metadata-layout.ts';
import type { SessionQuery } from './session-query.ts';
import type { SessionStoreAdapter } from './session-store-adapter.ts';
import type { CreateSessionInput, StoredSession } from './stored-session.ts';

/** Finds sessions and changes their state. */
export interface SessionStore {
  /** Throws SessionConflictError if the id exists. */
  create(input: CreateSessionInput): Promise<StoredSession>;
  /** `null` if there is none; expired sessions are returned. */
  get(sessionId: string): Promise<StoredSession | null>;
  /** Newest activity first, then newest creation, then id. */
  find(query: SessionQuery): Promise<StoredSession[]>;
  /** A message arrived: makes the session active. Throws SessionStateError if it has expired. */
  touch(sessionId: string): Promise<StoredSession>;
  /** Does nothing if already attached. */
  attachSurface(sessionId: string, surfaceId: string): Promise<StoredSession>;
  /** Does nothing if not attached. */
  detachSurface(sessionId: string, surfaceId: string): Promise<StoredSession>;
  /** Expires the session from any state, permanently; does nothing if it has expired. */
  expire(sessionId: string): Promise<StoredSession>;
  /** Suspends active sessions idle for longer than the TTL and returns the changed sessions. Call it on a schedule. */
  sweepStale(ttlMs?: number): Promise<StoredSession[]>;
  /** Shallow merge; a key with the value `undefined` is removed. */
  updateMetadata(sessionId: string, metadata: Record<string, unknown>): Promise<StoredSession>;
}

/** The store returned by `createSessionStore`, with methods beyond the contract. */
export interface AtomicSessionStore extends SessionStore {
  /** Deletes an expired session. Throws SessionStateError if it has not expired. */
  purge(sessionId: string): Promise<void>;
  /** Runs one callback per `key` at a time, across processes if the adapter is atomic. Must not be nested. */
  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** Configuration of a store. */
export interface SessionStoreConfig {
  adapter: SessionStoreAdapter;
  /** Milliseconds without activity before a sweep suspends a session; one hour by default. */
  defaultTtlMs?: number;
  /** Milliseconds a session may stay suspended before a sweep expires it; unlimited by default. */
  suspendedTtlMs?: number;
  /** `exclusive`: attaching a surface detaches it from its previous session. `shared` by default. */
  surfaceSlots?: 'shared' | 'exclusive';
  /** Maximum number of surfaces per session; unlimited by default. */
  maxSurfaces?: number;
  /** Also suspends idle sessions when `get` or `find` read them; false by default. */
  staleOnRead?: boolean;
  /** Migrates metadata of older releases when it is read. */
  metadata?: MetadataLayout;
}
