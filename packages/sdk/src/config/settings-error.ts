export interface SettingsErrorFacts extends ErrorOptions {
  readonly file: string;
  /** Dotted path of the invalid field, if known. */
  readonly field?: string | undefined;
}

/** An unusable settings file; nothing of it is applied. */
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
