/** `none`: nothing was written. `unknown`: the database may or may not have done it; read before doing it again. */
export type WriteOutcome = 'none' | 'unknown';

/** The database could not be reached, or did not answer in time. */
export class SessionStoreUnavailableError extends Error {
  override readonly name = 'SessionStoreUnavailableError';
  /** What was being done, such as `read session 42`. */
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
