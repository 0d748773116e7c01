import type { SessionQuery } from './session-query.ts';
import type { StoredSession } from './stored-session.ts';

/**
 * Port: where sessions are kept. `insert` refuses a taken id with SessionConflictError; `update` merges field by field,
 * answers SessionNotFoundError for an unknown id and never changes `id`, `userId` or `createdAt`; `delete` of an unknown
 * id does nothing; `fetchMany` honours any limit. What is returned is the caller's own copy.
 * These five are enough: the store then takes turns per session id, within its own process only.
 */
export interface SessionStoreAdapter {
  insert(session: StoredSession): Promise<void>;
  fetchById(sessionId: string): Promise<StoredSession | null>;
  fetchMany(query: SessionQuery): Promise<StoredSession[]>;
  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession>;
  delete(sessionId: string): Promise<void>;
}
