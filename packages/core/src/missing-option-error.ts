/** A required option is missing or has the wrong type. */
export class MissingOptionError extends Error {
  override readonly name = 'MissingOptionError';
  readonly code = 'missing_option';
  readonly option: string;

  constructor(what: string, option: string, expected: string) {
    super(`${what} needs the option ${option}: ${expected}.`);
    this.option = option;
  }
}

const PROVIDER = 'an object with a name and a chat function';

/** Throws a `MissingOptionError` for a value that is not a provider. */
export function assertProvider(what: string, provider: unknown): void {
  const given = provider as { readonly chat?: unknown } | null | undefined;
  if (typeof given?.chat !== 'function') throw new MissingOptionError(what, 'provider', PROVIDER);
}
