import type { Session } from '@robota-sdk/agent-store';

/** The ISO time `ms` milliseconds ago. */
export function ago(ms: number): string {
  return new Date(Date.now() - ms).toISOString();
}

/** A complete session with the given fields changed. */
export function aSession(fields: Partial<Session> = {}): Session {
  const createdAt = fields.createdAt ?? ago(1000);
  return {
    id: crypto.randomUUID(),
    userId: 'ada',
    state: 'created',
    createdAt,
    lastActivityAt: createdAt,
    attachedSurfaces: [],
    metadata: {},
    ...fields,
  };
}

export function idsOf(sessions: readonly Session[]): string[] {
  return sessions.map((session) => session.id);
}
