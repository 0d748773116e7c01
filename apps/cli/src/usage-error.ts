/** Invalid command line; the message says how to correct it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
