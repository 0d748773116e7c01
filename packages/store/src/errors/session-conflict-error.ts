/** The id exists; ids of expired sessions are not reused. */
export class SessionConflictError extends Error {
  override readonly name = 'SessionConflictError';
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session already exists: ${sessionId}`);
    this.sessionId = sessionId;
  }
}
