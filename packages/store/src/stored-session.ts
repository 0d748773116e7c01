/** The user, surfaces and state of a session. Exported as `Session`. */
export interface StoredSession {
  /** Chosen by the caller; unique and immutable. */
  id: string;
  /** Opaque to the store; compared exactly. */
  userId: string;
  /** Narrows the scope; stored here, enforced by the caller. */
  workspaceId?: string;
  state: SessionState;
  /** ISO-8601. */
  createdAt: string;
  /** ISO-8601 time of the last inbound message; never moves backwards. */
  lastActivityAt: string;
  /** ISO-8601 time of the last change of `state`; absent until the first one. */
  stateChangedAt?: string;
  /** Surface ids in the order of attachment. */
  attachedSurfaces: string[];
  /** Fields of the product, as plain JSON. */
  metadata: Record<string, unknown>;
  /** Version of the metadata layout; absent if the store has none. */
  metadataVersion?: number;
}

/** Lifecycle state of a session. */
export type SessionState = 'created' | 'active' | 'suspended' | 'expired';

export const SESSION_STATES: readonly SessionState[] = [
  'created',
  'active',
  'suspended',
  'expired',
];

/** Input of `create`. */
export interface CreateSessionInput {
  /** Must be globally unique, such as a UUID. */
  id: string;
  userId: string;
  workspaceId?: string;
  /** Attached on creation; an empty string attaches nothing. */
  initialSurfaceId?: string;
  metadata?: Record<string, unknown>;
}
