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
  [field: string]: unknown;
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
