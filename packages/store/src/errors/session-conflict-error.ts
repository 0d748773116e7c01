/** The id is taken; ids of expired sessions are never free again. */
export class SessionConflictError extends Error {
  override readonly name = 'SessionConflictError';
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`Session already exists: ${sessionId}`);
    this.sessionId = sessionId;
  }
}
