import type { AffinityResolver } from './affinity-resolver.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { SessionStateError } from './errors/session-state-error.ts';
import type { SessionResolvableMessage } from './inbound-message.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { AtomicSessionStore, SessionStore } from './session-store.ts';
import type { StoredSession } from './stored-session.ts';

/** What to do where no session fits. */
export interface ResolveSessionOptions {
  /** Continue the session that the message names, when it is this user's and has not ended. */
  readonly honorSessionId?: boolean | undefined;
  /** Attach the message's surface to the session that is continued. */
  readonly attachSurface?: boolean | undefined;
}

/**
 * Finds the session a message belongs to and touches it, or creates one, which stays `created`.
 * First messages of one user that arrive at once, in any process, make one session.
 */
export async function resolveSession(
  message: SessionResolvableMessage,
  store: SessionStore,
  resolver: AffinityResolver,
  options: ResolveSessionOptions = {},
): Promise<StoredSession> {
  const arrivedAt = Date.now();
  const existing =
    (options.honorSessionId ? await namedSession(message, store) : null) ??
    (await resolver.resolve(message.userId, message.surfaceId));
  const continued = existing === null ? null : await touchIfAlive(existing.id, store);
  if (continued === null) return startSession(message, store, arrivedAt);
  if (!options.attachSurface || !message.surfaceId) return continued;
  return store.attachSurface(continued.id, message.surfaceId);
}

async function namedSession(
  message: SessionResolvableMessage,
  store: SessionStore,
): Promise<StoredSession | null> {
  if (message.sessionId === undefined) return null;
  const named = await store.get(message.sessionId);
  return named?.userId === message.userId ? named : null;
}

/** `null` when the session ended or was deleted since it was found. */
async function touchIfAlive(sessionId: string, store: SessionStore): Promise<StoredSession | null> {
  try {
    return await store.touch(sessionId);
  } catch (error) {
    if (error instanceof SessionStateError || error instanceof SessionNotFoundError) return null;
    throw error;
  }
}

/** First messages on their way in this process, by store and by whose they are. */
const starting = new WeakMap<SessionStore, Map<string, Promise<StoredSession>>>();

async function startSession(
  message: SessionResolvableMessage,
  store: SessionStore,
  arrivedAt: number,
): Promise<StoredSession> {
  // Messages without a user have nothing that would make them belong together.
  if (message.userId === '') return createFor(message, store);
  const key = JSON.stringify(['first', message.userId, message.workspaceId ?? null]);
  const underWay = starting.get(store) ?? new Map<string, Promise<StoredSession>>();
  starting.set(store, underWay);
  const twin = underWay.get(key);
  if (twin !== undefined) return joinTwin(await twin, message, store);

  const start = startAlone(message, store, { key, arrivedAt });
  underWay.set(key, start);
  try {
    return await start;
  } finally {
    underWay.delete(key);
  }
}

function startAlone(
  message: SessionResolvableMessage,
  store: SessionStore,
  { key, arrivedAt }: { key: string; arrivedAt: number },
): Promise<StoredSession> {
  return serializeOn(store, key, async () => {
    const twin = await justCreated(message, store, arrivedAt);
    if (twin !== null) return joinTwin(twin, message, store);
    const waiting = await waitingOnSurface(message, store, arrivedAt);
    const continued = waiting === null ? null : await touchIfAlive(waiting.id, store);
    return continued ?? createFor(message, store);
  });
}

/** A session that another process made for this user while this message was on its way. */
async function justCreated(
  message: SessionResolvableMessage,
  store: SessionStore,
  arrivedAt: number,
): Promise<StoredSession | null> {
  // Activity is never older than creation, so this reaches every session created since then.
  const activeAfter = new Date(arrivedAt - 1).toISOString();
  const recent = await store.find({
    ...scopeOf(message),
    state: ['created', 'active'],
    activeAfter,
  });
  const ofThisScope = recent.filter((session) => session.workspaceId === message.workspaceId);
  return ofThisScope.find((session) => isTwin(session, arrivedAt)) ?? null;
}

/** Within one millisecond only a surface tells a session made for a message from one made by hand. */
function isTwin(session: StoredSession, arrivedAt: number): boolean {
  const createdAt = Date.parse(session.createdAt);
  return createdAt > arrivedAt || (createdAt === arrivedAt && session.attachedSurfaces.length > 0);
}

/** The second of two messages must not find its surface missing. */
function joinTwin(
  twin: StoredSession,
  message: SessionResolvableMessage,
  store: SessionStore,
): Promise<StoredSession> | StoredSession {
  if (!message.surfaceId || twin.attachedSurfaces.includes(message.surfaceId)) return twin;
  return store.attachSurface(twin.id, message.surfaceId);
}

/** A session made earlier on this surface whose first message was never recorded, or was while this one waited. */
async function waitingOnSurface(
  message: SessionResolvableMessage,
  store: SessionStore,
  arrivedAt: number,
): Promise<StoredSession | null> {
  if (!message.surfaceId) return null;
  const found = await store.find({
    ...scopeOf(message),
    surfaceId: message.surfaceId,
    state: ['created', 'active'],
  });
  const isWaiting = (session: StoredSession): boolean =>
    session.workspaceId === message.workspaceId &&
    (session.state === 'created' || Date.parse(session.lastActivityAt) >= arrivedAt);
  return found.find(isWaiting) ?? null;
}

function createFor(message: SessionResolvableMessage, store: SessionStore): Promise<StoredSession> {
  return store.create({
    id: crypto.randomUUID(),
    ...scopeOf(message),
    initialSurfaceId: message.surfaceId,
  });
}

function scopeOf(message: SessionResolvableMessage): { userId: string; workspaceId?: string } {
  const { userId, workspaceId } = message;
  return workspaceId === undefined ? { userId } : { userId, workspaceId };
}

/** Stores made elsewhere take turns within this process. */
const turns = new WeakMap<SessionStore, KeyedMutex>();

function serializeOn<Result>(
  store: SessionStore,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isSerializing(store)) return store.serialize(key, work);
  const mutex = turns.get(store) ?? new KeyedMutex();
  turns.set(store, mutex);
  return mutex.run(key, work);
}

function isSerializing(store: SessionStore): store is AtomicSessionStore {
  return typeof Reflect.get(store, 'serialize') === 'function';
}
