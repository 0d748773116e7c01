/** The command line cannot be carried out as typed; the message says how to type it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
