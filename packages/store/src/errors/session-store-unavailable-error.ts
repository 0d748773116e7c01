/** `none`: nothing was written. `unknown`: it may have been written; read the session before retrying. */
export type WriteOutcome = 'none' | 'unknown';

/** The database could not be reached, or did not respond in time. */
export class SessionStoreUnavailableError extends Error {
  override readonly name = 'SessionStoreUnavailableError';
  /** The attempted operation, such as `read session 42`. */
  readonly operation: string;
  readonly outcome: WriteOutcome;

  constructor(operation: string, options: ErrorOptions & { readonly outcome: WriteOutcome }) {
    const { outcome, ...rest } = options;
    super(describe(operation, outcome, rest.cause), rest);
    this.operation = operation;
    this.outcome = outcome;
  }
}

function describe(operation: string, outcome: WriteOutcome, cause: unknown): string {
  const reason = cause instanceof Error && cause.message !== '' ? cause.message : 'no answer';
  const advice =
    outcome === 'none'
      ? 'nothing was written; try again when it is back'
      : 'it may have been written; read the session before doing it again';
  return `Cannot ${operation}: the session database is unavailable (${reason}); ${advice}`;
}
