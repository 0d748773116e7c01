import type { SessionQuery } from './session-query.ts';
import type { StoredSession } from './stored-session.ts';

/**
 * Port: storage of sessions. `insert` rejects an existing id with SessionConflictError; `update` merges field by field,
 * rejects an unknown id with SessionNotFoundError and never changes `id`, `userId` or `createdAt`; `delete` of an unknown
 * id does nothing; `fetchMany` respects any limit. Returned sessions are copies.
 * With only these five methods, the store serialises changes per session id within its own process.
 */
export interface SessionStoreAdapter {
  insert(session: StoredSession): Promise<void>;
  fetchById(sessionId: string): Promise<StoredSession | null>;
  fetchMany(query: SessionQuery): Promise<StoredSession[]>;
  update(sessionId: string, patch: Partial<StoredSession>): Promise<StoredSession>;
  delete(sessionId: string): Promise<void>;
}
