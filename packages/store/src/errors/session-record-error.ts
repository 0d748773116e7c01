/** The stored data is not a session this version can read; it is left unchanged. */
export class SessionRecordError extends Error {
  override readonly name = 'SessionRecordError';

  constructor(what: string, options?: ErrorOptions) {
    super(`Cannot read ${what}`, options);
  }
}
