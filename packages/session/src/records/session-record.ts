/** The saved form of a session. Unknown fields survive load and save. */
export interface SessionRecord {
  id: string;
  /** Working directory in which the session was created. */
  cwd: string;
  name?: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  /** The model's view: core messages. */
  messages: unknown[];
  /** The user's view: history entries, chat and events. */
  history: unknown[];
  /** Copy of the system message, for diagnostics. */
  systemPrompt?: string;
  toolSchemas?: unknown[];
  backgroundTasks?: unknown[];
  backgroundTaskEvents?: unknown[];
  backgroundJobGroups?: unknown[];
  backgroundJobGroupEvents?: unknown[];
  memoryEvents?: unknown[];
  usedMemoryReferences?: unknown[];
  contextReferences?: unknown[];
  /** Opaque; defined by the sandbox provider. */
  sandboxSnapshotId?: string;
  model?: string;
  /** Position of this checkpoint in the session's log; absent if there is none. */
  log?: LogPosition;
  /** State of the fold that has no field above. */
  state?: Record<string, unknown>;
  /** State of other folds at the same position, by name. */
  folds?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A position in a log. */
export interface LogPosition {
  /** Number of the last entry before it. */
  readonly n: number;
  readonly bytes: number;
}

/** A session in lists, without the conversation. */
export interface SessionSummary {
  readonly id: string;
  readonly name?: string;
  readonly cwd: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly messageCount: number;
  /** The last assistant text, shortened and redacted. */
  readonly preview: string;
}
