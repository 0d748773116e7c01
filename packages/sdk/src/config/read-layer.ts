import { readFile } from 'node:fs/promises';
import type { Settings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/** `project` layers count in full only where the workspace is trusted. */
export type SettingsScope = 'invocation' | 'project' | 'user';

export interface SettingsLayer {
  readonly scope: SettingsScope;
  /** The file, or a word such as `command line` for layers that are not files. */
  readonly source: string;
  readonly settings: Settings;
}

/** Reads one settings file: null when there is none, an error naming file and field when it is broken. */
export async function readLayer(scope: SettingsScope, file: string): Promise<SettingsLayer | null> {
  const written = await readText(file);
  if (written === null || written.trim() === '') return null;
  return { scope, source: file, settings: await parseSettings(parseJson(written, file), file) };
}

/** Checks a value against the settings schema; `source` is named in the error. */
async function parseSettings(value: unknown, source: string): Promise<Settings> {
  // Loaded on demand: a directory without settings never pays for the validator.
  const { settingsSchema } = await import('./settings-schema.ts');
  const parsed = settingsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new SettingsError(issue?.message ?? 'does not match the schema', {
    file: source,
    field: (issue?.path ?? []).join('.'),
    cause: parsed.error,
  });
}

async function readText(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new SettingsError(`cannot be read (${code ?? String(error)})`, { file, cause: error });
  }
}

function parseJson(written: string, file: string): unknown {
  try {
    return JSON.parse(written.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new SettingsError(`not valid JSON (${(error as Error).message})`, { file, cause: error });
  }
}
