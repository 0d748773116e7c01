export interface SettingsErrorFacts extends ErrorOptions {
  readonly file: string;
  /** Dotted path of the field, when one is to blame. */
  readonly field?: string | undefined;
}

/** A settings file that cannot be used; nothing of it is applied and nothing is guessed. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
  readonly code = 'invalid_settings';
  readonly file: string;
  readonly field: string | undefined;

  constructor(problem: string, { file, field, cause }: SettingsErrorFacts) {
    const at = field ? `${field}: ` : '';
    super(`Invalid settings in ${file}: ${at}${problem}`, cause === undefined ? {} : { cause });
    this.file = file;
    this.field = field;
  }
}
