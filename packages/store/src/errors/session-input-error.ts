/** The caller asked for something that has no meaning; nothing was read or written. */
export class SessionInputError extends Error {
  override readonly name = 'SessionInputError';
  /** The argument or field that is wrong. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`Session ${field} ${reason}`);
    this.field = field;
  }
}
