/** What the database holds is not a session this version can read; it is left as it is. */
export class SessionRecordError extends Error {
  override readonly name = 'SessionRecordError';

  constructor(what: string, options?: ErrorOptions) {
    super(`Cannot read ${what}`, options);
  }
}
