import { SessionStateError } from './errors/session-state-error.ts';
import { SurfaceLimitError } from './errors/surface-limit-error.ts';
import { mergeMetadata } from './json-metadata.ts';
import type { CreateSessionInput, StoredSession } from './stored-session.ts';

/** The session as it is first stored. `metadata` must already be a copy. */
export function newSession(
  input: CreateSessionInput,
  metadata: Record<string, unknown>,
  now: string,
): StoredSession {
  return {
    id: input.id,
    userId: input.userId,
    ...(input.workspaceId === undefined ? {} : { workspaceId: input.workspaceId }),
    state: 'created',
    createdAt: now,
    lastActivityAt: now,
    attachedSurfaces: input.initialSurfaceId ? [input.initialSurfaceId] : [],
    metadata,
  };
}

/** A message arrived: the session becomes active, unless it has expired. */
export function touched(session: StoredSession, now: string): StoredSession {
  if (session.state === 'expired') throw new SessionStateError(session.id, 'expired', 'touch');
  const lastActivityAt = later(session.lastActivityAt, now);
  if (session.state === 'active') return { ...session, lastActivityAt };
  return { ...session, state: 'active', lastActivityAt, stateChangedAt: now };
}

export function expired(session: StoredSession, now: string): StoredSession | undefined {
  if (session.state === 'expired') return undefined;
  return { ...session, state: 'expired', stateChangedAt: now };
}

/** Suspends an active session that has been idle since before `cutoff` (epoch milliseconds). */
export function suspendedIfIdle(
  session: StoredSession,
  cutoff: number,
  now: string,
): StoredSession | undefined {
  if (session.state !== 'active' || Date.parse(session.lastActivityAt) >= cutoff) return undefined;
  return { ...session, state: 'suspended', stateChangedAt: now };
}

/** Expires a session that has been suspended since before `cutoff` (epoch milliseconds). */
export function expiredIfStale(
  session: StoredSession,
  cutoff: number,
  now: string,
): StoredSession | undefined {
  const since = Date.parse(session.stateChangedAt ?? session.lastActivityAt);
  if (session.state !== 'suspended' || since >= cutoff) return undefined;
  return { ...session, state: 'expired', stateChangedAt: now };
}

export function withSurface(
  session: StoredSession,
  surfaceId: string,
  maxSurfaces: number,
): StoredSession | undefined {
  if (session.attachedSurfaces.includes(surfaceId)) return undefined;
  if (session.attachedSurfaces.length >= maxSurfaces) {
    throw new SurfaceLimitError(session.id, maxSurfaces);
  }
  return { ...session, attachedSurfaces: [...session.attachedSurfaces, surfaceId] };
}

export function withoutSurface(
  session: StoredSession,
  surfaceId: string,
): StoredSession | undefined {
  if (!session.attachedSurfaces.includes(surfaceId)) return undefined;
  const attachedSurfaces = session.attachedSurfaces.filter((attached) => attached !== surfaceId);
  return { ...session, attachedSurfaces };
}

export function withMetadata(
  session: StoredSession,
  changes: Record<string, unknown>,
): StoredSession {
  return { ...session, metadata: mergeMetadata(session.metadata, changes) };
}

/** A clock that goes backwards, here or on another machine, must not make a session look older. */
function later(left: string, right: string): string {
  return Date.parse(left) > Date.parse(right) ? left : right;
}
