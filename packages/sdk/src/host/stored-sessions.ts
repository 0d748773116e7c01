import type { SessionStore, Session as StoredSession } from '@robota-sdk/agent-store';
import { PromptLedger } from './prompt-ledger.ts';
import { cardOf, messageSurfacesOf, promptsOf, type SessionCard } from './session-card.ts';

/** Who a session belongs to. */
export interface SessionOwner {
  readonly userId: string;
  readonly workspaceId?: string | undefined;
  readonly surfaceId?: string | undefined;
}

/** A message from a surface on its way to its session. */
export interface InboundText {
  readonly userId: string;
  readonly workspaceId?: string | undefined;
  readonly surfaceId: string;
}

export interface StoredSessionsParts {
  /** In memory when left out. */
  readonly store: SessionStore | undefined;
  readonly onError: (error: Error) => void;
}

/** Begins the ids of surfaces that are nothing but a connection, as opposed to ids that clients chose. */
export const CONNECTION_PREFIX = 'live:';
const EVERY = 100_000;

/** The stored sessions of a host: every live session has one, and changes of one session are made in order. */
export class StoredSessions {
  readonly #parts: StoredSessionsParts;
  readonly #changes = new Map<string, Promise<unknown>>();
  #store: Promise<SessionStore> | undefined;

  constructor(parts: StoredSessionsParts) {
    this.#parts = parts;
  }

  async get(id: string): Promise<StoredSession | null> {
    return (await this.#open()).get(id);
  }

  async all(): Promise<readonly StoredSession[]> {
    return (await this.#open()).find({ limit: EVERY });
  }

  /** Makes the stored session, or brings the card of the one that is there up to date. */
  async register(id: string, card: SessionCard, owner: SessionOwner): Promise<void> {
    await this.#change(id, async (store) => {
      if ((await store.get(id)) !== null) return store.updateMetadata(id, { card: plain(card) });
      const { userId, workspaceId, surfaceId } = owner;
      return store.create({
        id,
        userId,
        ...(workspaceId !== undefined && { workspaceId }),
        ...(surfaceId !== undefined && { initialSurfaceId: surfaceId }),
        metadata: { card: plain(card) },
      });
    });
  }

  async updateCard(id: string, changes: Partial<SessionCard>): Promise<void> {
    await this.#change(id, async (store) => {
      const stored = await store.get(id);
      const card = stored && cardOf(stored);
      if (card) await store.updateMetadata(id, { card: plain({ ...card, ...changes }) });
    });
  }

  async ledger(id: string): Promise<PromptLedger> {
    const stored = await this.get(id);
    return new PromptLedger(stored ? promptsOf(stored) : [], async (prompts) => {
      await this.#change(id, (store) => store.updateMetadata(id, { prompts: plain(prompts) }));
    });
  }

  /** The session a message belongs to; a new one where there is none. */
  async resolve(message: InboundText): Promise<StoredSession> {
    const { defaultAffinityResolver, resolveSession } = await import('@robota-sdk/agent-store');
    const store = await this.#open();
    const { userId, workspaceId, surfaceId } = message;
    const scope = workspaceId === undefined ? {} : { workspaceId };
    const resolver = defaultAffinityResolver(store, scope);
    const asked = { userId, surfaceId, ...scope };
    const stored = await resolveSession(asked, store, resolver, { attachSurface: true });
    if (!messageSurfacesOf(stored).includes(surfaceId)) await this.#keep(stored.id, surfaceId);
    return stored;
  }

  /** Messages come from this surface: it stays attached, also while nobody is connected there. */
  async #keep(id: string, surfaceId: string): Promise<void> {
    await this.#change(id, async (store) => {
      const stored = await store.get(id);
      const kept = new Set(stored ? messageSurfacesOf(stored) : []).add(surfaceId);
      return store.updateMetadata(id, { messageSurfaces: [...kept] });
    });
  }

  touch(id: string): Promise<void> {
    return this.#attempt(id, (store) => store.touch(id));
  }

  attach(id: string, surfaceId: string): Promise<void> {
    return this.#attempt(id, (store) => store.attachSurface(id, surfaceId));
  }

  /** A surface that sends messages stays; its next one belongs here too. */
  detach(id: string, surfaceId: string): Promise<void> {
    return this.#attempt(id, async (store) => {
      const stored = await store.get(id);
      if (!stored || messageSurfacesOf(stored).includes(surfaceId)) return;
      await store.detachSurface(id, surfaceId);
    });
  }

  /** Ends it for good. */
  expire(id: string): Promise<void> {
    return this.#attempt(id, async (store) => {
      if ((await store.get(id)) !== null) await store.expire(id);
    });
  }

  async sweep(ttlMs: number | undefined): Promise<readonly StoredSession[]> {
    const store = await this.#open();
    return ttlMs === undefined ? store.sweepStale() : store.sweepStale(ttlMs);
  }

  /** Settles when every change that was asked for has been made. */
  async idle(): Promise<void> {
    while (this.#changes.size > 0) await Promise.allSettled([...this.#changes.values()]);
  }

  /** What goes wrong beside a turn is told and keeps nobody from talking. */
  async #attempt(id: string, change: (store: SessionStore) => Promise<unknown>): Promise<void> {
    try {
      await this.#change(id, change);
    } catch (error) {
      this.#parts.onError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #change<Result>(id: string, change: (store: SessionStore) => Promise<Result>): Promise<Result> {
    const before = this.#changes.get(id) ?? Promise.resolve();
    const result = before.then(async () => change(await this.#open()));
    const settled = result.then(
      () => undefined,
      () => undefined,
    );
    this.#changes.set(id, settled);
    void settled.then(() => {
      if (this.#changes.get(id) === settled) this.#changes.delete(id);
    });
    return result;
  }

  #open(): Promise<SessionStore> {
    this.#store ??= openStore(this.#parts.store);
    return this.#store;
  }
}

async function openStore(given: SessionStore | undefined): Promise<SessionStore> {
  if (given) return given;
  // A process that holds one session for itself needs no store.
  const { createSessionStore, InMemorySessionStoreAdapter } = await import(
    '@robota-sdk/agent-store'
  );
  return createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
}

/** Metadata is plain JSON, without fields that say nothing. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
