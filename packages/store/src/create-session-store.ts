import {
  type AtomicSessionStoreAdapter,
  isAtomic,
  type SessionChange,
} from './atomic-session-store-adapter.ts';
import { SessionConflictError } from './errors/session-conflict-error.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { SessionStateError } from './errors/session-state-error.ts';
import { copyMetadata } from './json-metadata.ts';
import {
  expired,
  newSession,
  suspendedIfIdle,
  touched,
  withMetadata,
  withoutSurface,
  withSurface,
} from './lifecycle.ts';
import { inLayout } from './metadata-layout.ts';
import { SerializingAdapter } from './serializing-adapter.ts';
import { readQuery, requireText, type SessionQuery } from './session-query.ts';
import type { AtomicSessionStore, SessionStoreConfig } from './session-store.ts';
import { StaleSessions } from './stale-sessions.ts';
import { readRules, requireDuration, type StoreRules } from './store-rules.ts';
import type { CreateSessionInput, StoredSession } from './stored-session.ts';
import { SurfaceSlots } from './surface-slots.ts';

/** Creates a store over an adapter. Starts no timer and does no I/O. */
export function createSessionStore(config: SessionStoreConfig): AtomicSessionStore {
  const adapter = isAtomic(config.adapter)
    ? config.adapter
    : new SerializingAdapter(config.adapter);
  return new LifecycleSessionStore(adapter, readRules(config));
}

class LifecycleSessionStore implements AtomicSessionStore {
  readonly #adapter: AtomicSessionStoreAdapter;
  readonly #rules: StoreRules;
  readonly #stale: StaleSessions;
  readonly #slots: SurfaceSlots;

  constructor(adapter: AtomicSessionStoreAdapter, rules: StoreRules) {
    this.#adapter = adapter;
    this.#rules = rules;
    this.#stale = new StaleSessions(adapter);
    this.#slots = new SurfaceSlots(adapter);
  }

  async create(input: CreateSessionInput): Promise<StoredSession> {
    requireText(input.id, 'id');
    requireText(input.userId, 'userId');
    const fresh = newSession(input, copyMetadata(input.metadata ?? {}), now());
    const { layout } = this.#rules;
    const session = layout === undefined ? fresh : { ...fresh, metadataVersion: layout.version };
    await this.#insert(session);
    return structuredClone(session);
  }

  async get(sessionId: string): Promise<StoredSession | null> {
    const session = await this.#adapter.fetchById(requireText(sessionId, 'id'));
    if (session === null) return null;
    const current = this.#rules.staleOnRead ? await this.#suspendIfIdle(session) : session;
    return inLayout(current, this.#rules.layout);
  }

  async find(query: SessionQuery): Promise<StoredSession[]> {
    const { limit } = readQuery(query);
    if (this.#rules.staleOnRead) await this.#stale.suspendWithin(query, this.#rules.ttlMs);
    const found = await this.#adapter.fetchMany({ ...query, limit });
    return found.map((session) => inLayout(session, this.#rules.layout));
  }

  touch(sessionId: string): Promise<StoredSession> {
    return this.#mutate(sessionId, (session) => touched(session, now()));
  }

  async attachSurface(sessionId: string, surfaceId: string): Promise<StoredSession> {
    requireText(surfaceId, 'surfaceId');
    const attach: SessionChange = (session) =>
      withSurface(session, surfaceId, this.#rules.maxSurfaces);
    if (!this.#rules.exclusiveSurfaces) return this.#mutate(sessionId, attach);

    // Checked first, so that a failing attach does not detach the surface from its current session.
    const session = await this.#adapter.fetchById(requireText(sessionId, 'id'));
    if (session === null) throw new SessionNotFoundError(sessionId);
    attach(session);
    return this.#slots.take(surfaceId, sessionId, () => this.#mutate(sessionId, attach));
  }

  async detachSurface(sessionId: string, surfaceId: string): Promise<StoredSession> {
    requireText(surfaceId, 'surfaceId');
    return this.#mutate(sessionId, (session) => withoutSurface(session, surfaceId));
  }

  expire(sessionId: string): Promise<StoredSession> {
    return this.#mutate(sessionId, (session) => expired(session, now()));
  }

  async sweepStale(ttlMs: number = this.#rules.ttlMs): Promise<StoredSession[]> {
    requireDuration(ttlMs, 'ttlMs');
    const { suspendedTtlMs, layout } = this.#rules;
    const ended = suspendedTtlMs === undefined ? [] : await this.#stale.expireAll(suspendedTtlMs);
    const suspended = await this.#stale.suspendAll(ttlMs);
    return [...ended, ...suspended].map((session) => inLayout(session, layout));
  }

  async updateMetadata(
    sessionId: string,
    metadata: Record<string, unknown>,
  ): Promise<StoredSession> {
    copyMetadata(metadata);
    return this.#mutate(sessionId, (session) => withMetadata(session, metadata));
  }

  async purge(sessionId: string): Promise<void> {
    const session = await this.#adapter.fetchById(requireText(sessionId, 'id'));
    if (session === null) throw new SessionNotFoundError(sessionId);
    // Expired is final, so the state cannot change between this check and the deletion.
    if (session.state !== 'expired') throw new SessionStateError(sessionId, session.state, 'purge');
    await this.#adapter.delete(sessionId);
  }

  serialize<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    return this.#adapter.serialize(`caller:${key}`, work);
  }

  /** The first change of any kind also migrates metadata of an older layout. */
  async #mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    const { layout } = this.#rules;
    const session = await this.#adapter.mutate(requireText(sessionId, 'id'), (current) =>
      change(inLayout(current, layout)),
    );
    return inLayout(session, layout);
  }

  async #insert(session: StoredSession): Promise<void> {
    const [surfaceId] = session.attachedSurfaces;
    if (surfaceId === undefined || !this.#rules.exclusiveSurfaces) {
      return this.#adapter.insert(session);
    }
    if ((await this.#adapter.fetchById(session.id)) !== null) {
      throw new SessionConflictError(session.id);
    }
    await this.#slots.take(surfaceId, session.id, () => this.#adapter.insert(session));
  }

  async #suspendIfIdle(session: StoredSession): Promise<StoredSession> {
    const at = Date.now();
    const change: SessionChange = (current) =>
      suspendedIfIdle(current, at - this.#rules.ttlMs, new Date(at).toISOString());
    return change(session) === undefined ? session : this.#adapter.mutate(session.id, change);
  }
}

function now(): string {
  return new Date().toISOString();
}
