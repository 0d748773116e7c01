/** Invalid input; nothing was read or written. */
export class SessionInputError extends Error {
  override readonly name = 'SessionInputError';
  /** The invalid argument or field. */
  readonly field: string;

  constructor(field: string, reason: string) {
    super(`Session ${field} ${reason}`);
    this.field = field;
  }
}
