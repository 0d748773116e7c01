/** A transcript to be saved does not continue the saved one, which stays as it is. */
export class TranscriptConflictError extends Error {
  override readonly name = 'TranscriptConflictError';
  readonly code = 'transcript_conflict';

  constructor(sessionId: string, reason: string) {
    super(
      `The transcript of session ${sessionId} does not continue the saved one (${reason}); the saved one is kept. ` +
        'Load the session again, or fork it, to go on.',
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

/** Another process writes the session. Follow it, fork it, or wait until it is let go. */
export class AgentSessionLockedError extends Error {
  override readonly name = 'AgentSessionLockedError';
  readonly code = 'session_locked';
  /** The process that writes it; 0 for one of another machine. */
  readonly pid: number;

  /** `holder` says who writes it, where that is more than a process of this machine. */
  constructor(sessionId: string, pid: number, holder = `process ${pid}`) {
    super(
      `Agent session ${sessionId} is being written by ${holder}; follow it, fork it, or end it there first`,
    );
    this.pid = pid;
  }
}

/** There is a saved session with this id already. */
export class AgentSessionExistsError extends Error {
  override readonly name = 'AgentSessionExistsError';
  readonly code = 'session_exists';

  constructor(sessionId: string) {
    super(`There is already an agent session ${sessionId}; load it, or take another id`);
  }
}
