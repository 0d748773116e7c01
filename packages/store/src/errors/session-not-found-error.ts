/** There is no session with this id. */
export class SessionNotFoundError extends Error {
  override readonly name = 'SessionNotFoundError';
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session not found: ${sessionId}`);
    this.sessionId = sessionId;
  }
}
