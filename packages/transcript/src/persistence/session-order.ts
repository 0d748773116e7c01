import type { SessionListData } from '../session-data.ts';

/** Most recent activity first, then by id, so that the order is stable. */
export function byLastActivity(one: SessionListData, other: SessionListData): number {
  const later = (other.lastActivity ?? 0) - (one.lastActivity ?? 0);
  return later === 0 ? one.sessionId.localeCompare(other.sessionId) : later;
}
