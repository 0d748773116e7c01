/** The new transcript does not continue the saved one, which is left unchanged. */
export class TranscriptConflictError extends Error {
  override readonly name = 'TranscriptConflictError';
  readonly code = 'transcript_conflict';

  constructor(sessionId: string, reason: string) {
    super(
      `The transcript of session ${sessionId} does not continue the saved one (${reason}); the saved one is kept. ` +
        'Load the session again, or fork it, to continue.',
    );
  }
}

/** There is no saved session with this id. */
export class AgentSessionNotFoundError extends Error {
  override readonly name = 'AgentSessionNotFoundError';
  readonly code = 'session_not_found';

  constructor(sessionId: string) {
    super(`There is no agent session ${sessionId}`);
  }
}

/** Another process writes the session. Follow it, fork it, or wait until it is closed. */
export class AgentSessionLockedError extends Error {
  override readonly name = 'AgentSessionLockedError';
  readonly code = 'session_locked';
  /** The process that writes it; 0 if it is on another machine. */
  readonly pid: number;

  /** `holder` describes the writer if it is not a local process. */
  constructor(sessionId: string, pid: number, holder = `process ${pid}`) {
    super(
      `Agent session ${sessionId} is being written by ${holder}; follow it, fork it, or end it there first`,
    );
    this.pid = pid;
  }
}

/** A session with this id already exists. */
export class AgentSessionExistsError extends Error {
  override readonly name = 'AgentSessionExistsError';
  readonly code = 'session_exists';

  constructor(sessionId: string) {
    super(`There is already an agent session ${sessionId}; load it, or use another id`);
  }
}
