import type { StoredSession } from '../stored-session.ts';

/** Applies a patch; id, user and creation time never change. */
export function patched(current: StoredSession, patch: Partial<StoredSession>): StoredSession {
  const { id, userId, createdAt } = current;
  return { ...current, ...patch, id, userId, createdAt };
}
