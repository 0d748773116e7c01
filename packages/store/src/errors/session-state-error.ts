import type { SessionState } from '../stored-session.ts';

/** The operation is not allowed in the session's state. */
export class SessionStateError extends Error {
  override readonly name = 'SessionStateError';
  readonly sessionId: string;
  readonly currentState: SessionState;
  readonly attemptedTransition: string;

  constructor(sessionId: string, currentState: SessionState, attemptedTransition: string) {
    super(
      `Invalid transition '${attemptedTransition}' from state '${currentState}' for session ${sessionId}`,
    );
    this.sessionId = sessionId;
    this.currentState = currentState;
    this.attemptedTransition = attemptedTransition;
  }
}
