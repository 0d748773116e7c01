export { InMemorySessionStoreAdapter } from './adapters/memory.ts';
export {
  type AffinityOptions,
  type AffinityResolver,
  defaultAffinityResolver,
} from './affinity-resolver.ts';
export type { AtomicSessionStoreAdapter, SessionChange } from './atomic-session-store-adapter.ts';
export { createSessionStore } from './create-session-store.ts';
export { SessionConflictError } from './errors/session-conflict-error.ts';
export { SessionInputError } from './errors/session-input-error.ts';
export { SessionNotFoundError } from './errors/session-not-found-error.ts';
export { SessionRecordError } from './errors/session-record-error.ts';
export { SessionStateError } from './errors/session-state-error.ts';
export {
  SessionStoreUnavailableError,
  type WriteOutcome,
} from './errors/session-store-unavailable-error.ts';
export { SurfaceLimitError } from './errors/surface-limit-error.ts';
export type { InboundMessage, SessionResolvableMessage } from './inbound-message.ts';
export type { MetadataLayout } from './metadata-layout.ts';
export { type ResolveSessionOptions, resolveSession } from './resolve-session.ts';
export type { SessionQuery } from './session-query.ts';
export type { AtomicSessionStore, SessionStore, SessionStoreConfig } from './session-store.ts';
export type { SessionStoreAdapter } from './session-store-adapter.ts';
export type { StaleQuery, StaleSessionIndex } from './stale-session-index.ts';
export { type Sweeping, type SweepingOptions, startSweeping } from './start-sweeping.ts';
export type {
  CreateSessionInput,
  SessionState,
  StoredSession as Session,
} from './stored-session.ts';
