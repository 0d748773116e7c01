/** A session as it is kept to come back to. Fields nobody here knows survive load and save. */
export interface SessionRecord {
  id: string;
  /** Where the session was created. */
  cwd: string;
  name?: string;
  /** ISO 8601, UTC. */
  createdAt: string;
  updatedAt: string;
  /** What the model is shown: core messages. */
  messages: unknown[];
  /** What a person is shown: history entries, chat and events. */
  history: unknown[];
  /** Repeats the system message, so that diagnostics need not look for it. */
  systemPrompt?: string;
  toolSchemas?: unknown[];
  backgroundTasks?: unknown[];
  backgroundTaskEvents?: unknown[];
  backgroundJobGroups?: unknown[];
  backgroundJobGroupEvents?: unknown[];
  memoryEvents?: unknown[];
  usedMemoryReferences?: unknown[];
  contextReferences?: unknown[];
  /** Opaque: belongs to whoever provides the sandbox. */
  sandboxSnapshotId?: string;
  model?: string;
  /** Where this checkpoint stands in the session's log; absent where there is none. */
  log?: LogPosition;
  /** What the fold of the log holds beside the fields above. */
  state?: Record<string, unknown>;
  /** What other folds of the log hold at the same place, by name. */
  folds?: Record<string, unknown>;
  [field: string]: unknown;
}

/** A place in a log. */
export interface LogPosition {
  /** The last entry before this place. */
  readonly n: number;
  readonly bytes: number;
}

/** What a list of sessions shows, without the conversation. */
export interface SessionSummary {
  readonly id: string;
  readonly name?: string;
  readonly cwd: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly messageCount: number;
  /** The last thing the assistant said, shortened and redacted. */
  readonly preview: string;
}
