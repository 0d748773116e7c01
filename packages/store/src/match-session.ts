import type { ExactQuery } from './session-query.ts';
import type { StoredSession } from './stored-session.ts';

export function matchesQuery(session: StoredSession, query: ExactQuery): boolean {
  const lastActivity = Date.parse(session.lastActivityAt);
  return (
    query.states.includes(session.state) &&
    (query.userId === undefined || session.userId === query.userId) &&
    (query.workspaceId === undefined || session.workspaceId === query.workspaceId) &&
    (query.surfaceId === undefined || session.attachedSurfaces.includes(query.surfaceId)) &&
    (query.activeAfter === undefined || lastActivity > query.activeAfter) &&
    (query.activeBefore === undefined || lastActivity < query.activeBefore)
  );
}

/** Newest activity first, then newest creation, then id by code point: the same order in every adapter. */
export function byNewestActivity(left: StoredSession, right: StoredSession): number {
  return (
    Date.parse(right.lastActivityAt) - Date.parse(left.lastActivityAt) ||
    Date.parse(right.createdAt) - Date.parse(left.createdAt) ||
    compareCodePoints(left.id, right.id)
  );
}

function compareCodePoints(left: string, right: string): number {
  const [leftPoints, rightPoints] = [[...left], [...right]];
  for (const [index, character] of leftPoints.entries()) {
    const difference = (character.codePointAt(0) ?? 0) - (rightPoints[index]?.codePointAt(0) ?? -1);
    if (difference !== 0) return difference;
  }
  return leftPoints.length - rightPoints.length;
}
