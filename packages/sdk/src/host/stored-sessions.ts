import { redactText } from '@robota-sdk/agent-session';
import type { SessionStore, Session as StoredSession } from '@robota-sdk/agent-store';
import { PromptLedger } from './prompt-ledger.ts';
import { machineKey, PromptSeal, passingKey } from './prompt-seal.ts';
import { cardOf, messageSurfacesOf, promptsOf, type SessionCard } from './session-card.ts';

/** User, workspace and surface that a session belongs to. */
export interface SessionOwner {
  readonly userId: string;
  readonly workspaceId?: string | undefined;
  readonly surfaceId?: string | undefined;
}

/** The sender and surface of a message, which select its session. */
export interface InboundText {
  readonly userId: string;
  readonly workspaceId?: string | undefined;
  readonly surfaceId: string;
}

export interface StoredSessionsParts {
  /** In memory if undefined. */
  readonly store: SessionStore | undefined;
  readonly onError: (error: Error) => void;
}

/** Prefix of the ids of anonymous connections, as opposed to ids that clients chose. */
export const CONNECTION_PREFIX = 'live:';
const MAX_SESSIONS = 100_000;

/** The stored sessions of a host: every live session has one, and changes to one session are applied in order. */
export class StoredSessions {
  readonly #parts: StoredSessionsParts;
  readonly #seal: PromptSeal;
  readonly #changes = new Map<string, Promise<unknown>>();
  #store: Promise<SessionStore> | undefined;

  constructor(parts: StoredSessionsParts) {
    this.#parts = parts;
    this.#seal = new PromptSeal(() => this.#promptKey());
  }

  async get(id: string): Promise<StoredSession | null> {
    return (await this.#open()).get(id);
  }

  async all(): Promise<readonly StoredSession[]> {
    return (await this.#open()).find({ limit: MAX_SESSIONS });
  }

  /** Creates the stored session, or updates the card of the existing one. */
  async register(id: string, card: SessionCard, owner: SessionOwner): Promise<void> {
    await this.#change(id, async (store) => {
      if ((await store.get(id)) !== null) return store.updateMetadata(id, { card: shown(card) });
      const { userId, workspaceId, surfaceId } = owner;
      return store.create({
        id,
        userId,
        ...(workspaceId !== undefined && { workspaceId }),
        ...(surfaceId !== undefined && { initialSurfaceId: surfaceId }),
        metadata: { card: shown(card) },
      });
    });
  }

  async updateCard(id: string, changes: Partial<SessionCard>): Promise<void> {
    await this.#change(id, async (store) => {
      const stored = await store.get(id);
      const card = stored && cardOf(stored);
      if (card) await store.updateMetadata(id, { card: shown({ ...card, ...changes }) });
    });
  }

  async ledger(id: string): Promise<PromptLedger> {
    const stored = await this.get(id);
    return new PromptLedger(stored ? promptsOf(stored) : [], {
      seal: this.#seal,
      write: async (prompts) => {
        await this.#change(id, (store) => store.updateMetadata(id, { prompts: plain(prompts) }));
      },
    });
  }

  /** Where the home cannot be written, prompts are still accepted, but one that waits is lost with this process. */
  #promptKey(): Buffer {
    if (!this.#parts.store) return passingKey();
    try {
      return machineKey();
    } catch (error) {
      this.#parts.onError(error instanceof Error ? error : new Error(String(error)));
      return passingKey();
    }
  }

  /** The session a message belongs to; a new one where there is none. */
  async resolve(message: InboundText): Promise<StoredSession> {
    const { defaultAffinityResolver, resolveSession } = await import('@robota-sdk/agent-store');
    const store = await this.#open();
    const { userId, workspaceId, surfaceId } = message;
    const scope = workspaceId === undefined ? {} : { workspaceId };
    const resolver = defaultAffinityResolver(store, scope);
    const request = { userId, surfaceId, ...scope };
    const stored = await resolveSession(request, store, resolver, { attachSurface: true });
    if (!messageSurfacesOf(stored).includes(surfaceId)) await this.#keep(stored.id, surfaceId);
    return stored;
  }

  /** A surface that sends messages stays attached while it is not connected. */
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

  /** Does not detach a surface that sends messages; its next message belongs here too. */
  detach(id: string, surfaceId: string): Promise<void> {
    return this.#attempt(id, async (store) => {
      const stored = await store.get(id);
      if (!stored || messageSurfacesOf(stored).includes(surfaceId)) return;
      await store.detachSurface(id, surfaceId);
    });
  }

  expire(id: string): Promise<void> {
    return this.#attempt(id, async (store) => {
      if ((await store.get(id)) !== null) await store.expire(id);
    });
  }

  async sweep(ttlMs: number | undefined): Promise<readonly StoredSession[]> {
    const store = await this.#open();
    return ttlMs === undefined ? store.sweepStale() : store.sweepStale(ttlMs);
  }

  /** Resolves when every requested change has settled. */
  async idle(): Promise<void> {
    while (this.#changes.size > 0) await Promise.allSettled([...this.#changes.values()]);
  }

  /** Reports a failure instead of throwing, so that the conversation goes on. */
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
  // Imported on use, because a process with a single session of its own needs no store.
  const { createSessionStore, InMemorySessionStoreAdapter } = await import(
    '@robota-sdk/agent-store'
  );
  return createSessionStore({ adapter: new InMemorySessionStoreAdapter() });
}

/** Names are shown in lists and may contain secrets; the session's record holds the same name. */
function shown({ name, ...card }: SessionCard): unknown {
  return plain({ ...card, name: name === undefined ? undefined : redactText(name) });
}

/** Metadata is plain JSON without undefined fields. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
