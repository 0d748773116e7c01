/** There is no session with this id or name. */
export class SessionNotFoundError extends Error {
  override readonly name = 'SessionNotFoundError';
  readonly code = 'session_not_found';
  readonly reference: string;

  constructor(reference: string) {
    super(`Session not found: ${reference}`);
    this.reference = reference;
  }
}

/** Several sessions have this name; an id is needed. */
export class AmbiguousSessionError extends Error {
  override readonly name = 'AmbiguousSessionError';
  readonly code = 'session_ambiguous';
  readonly ids: readonly string[];

  constructor(reference: string, ids: readonly string[]) {
    super(`Several sessions are named "${reference}"; use one of the ids ${ids.join(', ')}`);
    this.ids = ids;
  }
}
