import { byNewestActivity } from './match-session.ts';
import type { SessionQuery } from './session-query.ts';
import type { SessionStore } from './session-store.ts';
import type { StoredSession } from './stored-session.ts';

/** Port: which session a returning user continues; `null` starts a new one. */
export interface AffinityResolver {
  resolve(userId: string, surfaceId?: string): Promise<StoredSession | null>;
}

/** Which sessions a message may belong to. */
export interface AffinityOptions {
  /** Only sessions of this workspace. */
  readonly workspaceId?: string | undefined;
}

/** The user's most recent active or suspended session, preferring one with the surface attached. */
export function defaultAffinityResolver(
  store: Pick<SessionStore, 'find'>,
  options: AffinityOptions = {},
): AffinityResolver {
  const newest = async (query: SessionQuery): Promise<StoredSession | null> => {
    const found = await store.find({
      ...query,
      ...options,
      state: ['active', 'suspended'],
      limit: 1,
    });
    return [...found].sort(byNewestActivity)[0] ?? null;
  };
  return {
    async resolve(userId, surfaceId) {
      // An anonymous message must never match another user's session.
      if (userId === '') return null;
      const onSurface = surfaceId === undefined ? null : await newest({ userId, surfaceId });
      return onSurface ?? newest({ userId });
    },
  };
}
