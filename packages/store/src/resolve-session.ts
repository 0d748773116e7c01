import type { AffinityResolver } from './affinity-resolver.ts';
import { SessionNotFoundError } from './errors/session-not-found-error.ts';
import { SessionStateError } from './errors/session-state-error.ts';
import type { SessionResolvableMessage } from './inbound-message.ts';
import { KeyedMutex } from './keyed-mutex.ts';
import type { AtomicSessionStore, SessionStore } from './session-store.ts';
import type { StoredSession } from './stored-session.ts';

/** Options of `resolveSession`. */
export interface ResolveSessionOptions {
  /** Continue the session named in the message, if it belongs to this user and has not expired. */
  readonly honorSessionId?: boolean | undefined;
  /** Attach the message's surface to the session that is continued. */
  readonly attachSurface?: boolean | undefined;
}

/**
 * Finds the session a message belongs to and touches it, or creates one in the state `created`.
 * Concurrent first messages of one user, in any process, create one session.
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
  if (continued === null) return startSession(message, store, { resolver, arrivedAt });
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

/** `null` if the session expired or was deleted since it was found. */
async function touchIfAlive(sessionId: string, store: SessionStore): Promise<StoredSession | null> {
  try {
    return await store.touch(sessionId);
  } catch (error) {
    if (error instanceof SessionStateError || error instanceof SessionNotFoundError) return null;
    throw error;
  }
}

/** Pending first messages in this process, by store and by user and workspace. */
const starting = new WeakMap<SessionStore, Map<string, Promise<StoredSession>>>();

interface Arrival {
  readonly resolver: AffinityResolver;
  readonly arrivedAt: number;
}

async function startSession(
  message: SessionResolvableMessage,
  store: SessionStore,
  arrival: Arrival,
): Promise<StoredSession> {
  // Messages without a user cannot be grouped.
  if (message.userId === '') return createFor(message, store);
  const key = JSON.stringify(['first', message.userId, message.workspaceId ?? null]);
  const pending = starting.get(store) ?? new Map<string, Promise<StoredSession>>();
  starting.set(store, pending);
  const concurrent = pending.get(key);
  if (concurrent !== undefined) return joinConcurrent(await concurrent, message, store);

  const start = startSerialized(message, store, { ...arrival, key });
  pending.set(key, start);
  try {
    return await start;
  } finally {
    pending.delete(key);
  }
}

function startSerialized(
  message: SessionResolvableMessage,
  store: SessionStore,
  { key, resolver, arrivedAt }: Arrival & { readonly key: string },
): Promise<StoredSession> {
  return serializeOn(store, key, async () => {
    const concurrent = await justCreated(message, store, arrivedAt);
    if (concurrent !== null) return joinConcurrent(concurrent, message, store);
    const waiting =
      (await waitingOnSurface(message, store, arrivedAt)) ??
      (await touchedMeanwhile(message, store, resolver));
    const continued = waiting === null ? null : await touchIfAlive(waiting.id, store);
    return continued ?? createFor(message, store);
  });
}

/** A session another process created for this user while this message was being handled. */
async function justCreated(
  message: SessionResolvableMessage,
  store: SessionStore,
  arrivedAt: number,
): Promise<StoredSession | null> {
  // Activity is never older than creation, so this finds every session created since then.
  const activeAfter = new Date(arrivedAt - 1).toISOString();
  const recent = await store.find({
    ...scopeOf(message),
    state: ['created', 'active'],
    activeAfter,
  });
  const ofThisScope = recent.filter((session) => session.workspaceId === message.workspaceId);
  return ofThisScope.find((session) => isConcurrent(session, arrivedAt)) ?? null;
}

/** Within the same millisecond, an attached surface shows that the session was created for a message. */
function isConcurrent(session: StoredSession, arrivedAt: number): boolean {
  const createdAt = Date.parse(session.createdAt);
  return createdAt > arrivedAt || (createdAt === arrivedAt && session.attachedSurfaces.length > 0);
}

/** Attaches the surface of the second message too. */
function joinConcurrent(
  concurrent: StoredSession,
  message: SessionResolvableMessage,
  store: SessionStore,
): Promise<StoredSession> | StoredSession {
  if (!message.surfaceId || concurrent.attachedSurfaces.includes(message.surfaceId))
    return concurrent;
  return store.attachSurface(concurrent.id, message.surfaceId);
}

/** A session created on this surface whose first message was not recorded yet, or only while this one waited. */
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

/**
 * The resolver's second answer, where the user has an active session: its first touch may have been committed after the
 * first answer, with a time before the arrival of this message.
 */
async function touchedMeanwhile(
  message: SessionResolvableMessage,
  store: SessionStore,
  resolver: AffinityResolver,
): Promise<StoredSession | null> {
  const active = await store.find({ ...scopeOf(message), state: ['active'], limit: 1 });
  return active.length === 0 ? null : resolver.resolve(message.userId, message.surfaceId);
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

/** Stores without `serialize` are serialised within this process. */
const mutexes = new WeakMap<SessionStore, KeyedMutex>();

function serializeOn<Result>(
  store: SessionStore,
  key: string,
  work: () => Promise<Result>,
): Promise<Result> {
  if (isSerializing(store)) return store.serialize(key, work);
  const mutex = mutexes.get(store) ?? new KeyedMutex();
  mutexes.set(store, mutex);
  return mutex.run(key, work);
}

function isSerializing(store: SessionStore): store is AtomicSessionStore {
  return typeof Reflect.get(store, 'serialize') === 'function';
}
