import type { SessionListData } from '../session-data.ts';

/** The most recently active first; equal ones by id, so that lists are the same every time. */
export function byLastActivity(one: SessionListData, other: SessionListData): number {
  const later = (other.lastActivity ?? 0) - (one.lastActivity ?? 0);
  return later === 0 ? one.sessionId.localeCompare(other.sessionId) : later;
}
