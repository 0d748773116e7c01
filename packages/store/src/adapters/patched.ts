import type { StoredSession } from '../stored-session.ts';

/** The session with the patch laid over it; who it is and when it began stay as they are. */
export function patched(current: StoredSession, patch: Partial<StoredSession>): StoredSession {
  const { id, userId, createdAt } = current;
  return { ...current, ...patch, id, userId, createdAt };
}
