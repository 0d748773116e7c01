/** A session answers one message at a time. */
export class AgentSessionBusyError extends Error {
  override readonly name = 'AgentSessionBusyError';
  readonly code = 'session_busy';

  constructor(sessionId: string) {
    super(`Agent session ${sessionId} is answering a message; wait for it to end, or abort it`);
  }
}

/** The session was ended and takes no more prompts. */
export class AgentSessionDestroyedError extends Error {
  override readonly name = 'AgentSessionDestroyedError';
  readonly code = 'session_destroyed';

  constructor(sessionId: string) {
    super(`Agent session ${sessionId} was destroyed; load it again to go on`);
  }
}
