/** One line of a session log, references resolved: what happened, when, in which session. */
export interface SessionLogEntry {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly event: string;
  readonly [field: string]: unknown;
}
