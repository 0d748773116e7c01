/** Who is talking, from where, and whether the conversation is still alive. Exported as `Session`. */
export interface StoredSession {
  /** Given by the caller, unique, never changed. */
  id: string;
  /** Opaque; belongs to the caller and is compared exactly. */
  userId: string;
  /** Narrows the scope; recorded here, enforced elsewhere. */
  workspaceId?: string;
  state: SessionState;
  /** ISO-8601. */
  createdAt: string;
  /** ISO-8601 time of the last inbound message; never moves backwards. */
  lastActivityAt: string;
  /** ISO-8601 time of the last change of `state`; absent until the first one. */
  stateChangedAt?: string;
  /** Surface ids in the order in which they were attached. */
  attachedSurfaces: string[];
  /** The product's own fields: plain JSON. */
  metadata: Record<string, unknown>;
  /** The version of the product's metadata layout; absent when the store has no metadata layout. */
  metadataVersion?: number;
}

/** Whether a session is alive. */
export type SessionState = 'created' | 'active' | 'suspended' | 'expired';

export const SESSION_STATES: readonly SessionState[] = [
  'created',
  'active',
  'suspended',
  'expired',
];

/** What a new stored session is made of. */
export interface CreateSessionInput {
  /** Globally unique; a UUID is a good choice. */
  id: string;
  userId: string;
  workspaceId?: string;
  /** Attached at once; an empty string attaches nothing. */
  initialSurfaceId?: string;
  metadata?: Record<string, unknown>;
}
