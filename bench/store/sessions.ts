import type { Session } from '@robota-sdk/agent-store';

/** Sessions in the large databases; ROBOTA_BENCH_SESSIONS lowers it for a quick run. */
export const LARGE = Number(process.env.ROBOTA_BENCH_SESSIONS ?? 1_000_000);
export const SMALL = Math.min(10_000, LARGE);

const START = Date.now();
const LONG_AGO = Date.UTC(2026, 0, 1);
/** Active sessions were touched within the last half hour. */
const RECENT_MS = 1_800_000;

/** Deterministic by index: ten sessions per user, a thousand workspaces, one in ten active and recent. */
export function benchSession(index: number): Session {
  const isActive = index % 10 === 0;
  const at = new Date(isActive ? START - (index % RECENT_MS) : LONG_AGO + index).toISOString();
  return {
    id: idOf(index),
    userId: userOf(index),
    workspaceId: `workspace-${index % 1000}`,
    state: isActive ? 'active' : 'expired',
    createdAt: at,
    lastActivityAt: at,
    stateChangedAt: at,
    attachedSurfaces: [`web-${index}`],
    metadata: { plan: 'pro', locale: 'en-GB' },
  };
}

export function idOf(index: number): string {
  return `session-${String(index).padStart(8, '0')}`;
}

export function userOf(index: number): string {
  return `user-${Math.floor(index / 10)}`;
}

/** Spreads successive steps over the active sessions of a database with `count` sessions. */
export function spread(step: number, count: number): number {
  return (((step * 7919) % (count / 10)) * 10) % count;
}
