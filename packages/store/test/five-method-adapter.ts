import {
  type Session,
  SessionNotFoundError,
  type SessionQuery,
  type SessionStoreAdapter,
} from '@robota-sdk/agent-store';

/** A minimal adapter: five methods, each with a delay, without sorting, checks or copies. */
export class FiveMethodAdapter implements SessionStoreAdapter {
  readonly sessions = new Map<string, Session>();
  /** Every patch that reached `update`. */
  readonly patches: Partial<Session>[] = [];

  async insert(session: Session): Promise<void> {
    await Promise.resolve();
    this.sessions.set(session.id, structuredClone(session));
  }

  async fetchById(sessionId: string): Promise<Session | null> {
    await Promise.resolve();
    return structuredClone(this.sessions.get(sessionId) ?? null);
  }

  async fetchMany(query: SessionQuery): Promise<Session[]> {
    await Promise.resolve();
    const states = query.state === undefined ? undefined : [query.state].flat();
    return [...this.sessions.values()]
      .filter((session) => query.userId === undefined || session.userId === query.userId)
      .filter((session) => states?.includes(session.state) ?? true)
      .filter(
        ({ attachedSurfaces }) => !query.surfaceId || attachedSurfaces.includes(query.surfaceId),
      )
      .slice(0, query.limit ?? 50)
      .map((session) => structuredClone(session));
  }

  async update(sessionId: string, patch: Partial<Session>): Promise<Session> {
    await Promise.resolve();
    const current = this.sessions.get(sessionId);
    if (current === undefined) throw new SessionNotFoundError(sessionId);
    this.patches.push(patch);
    const next = { ...current, ...patch };
    this.sessions.set(sessionId, next);
    return structuredClone(next);
  }

  async delete(sessionId: string): Promise<void> {
    await Promise.resolve();
    this.sessions.delete(sessionId);
  }
}
