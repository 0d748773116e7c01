import { readSettingsText } from './read-settings-text.ts';
import type { Settings } from './settings.ts';
import { SettingsError } from './settings-error.ts';

/** `project` layers apply in full only in a trusted workspace. */
type SettingsScope = 'invocation' | 'project' | 'user';

export interface SettingsLayer {
  readonly scope: SettingsScope;
  /** The file, or a name such as `command line` for layers that are not files. */
  readonly source: string;
  /** True for a file of Claude Code, which is read but never written. */
  readonly isForeign?: boolean | undefined;
  readonly settings: Settings;
  /** What was left out and why; each message names file and field. */
  readonly problems?: readonly string[] | undefined;
}

export interface SettingsFile {
  readonly scope: SettingsScope;
  readonly file: string;
  readonly isForeign?: boolean | undefined;
  /** Links may not leave this directory. */
  readonly root?: string | undefined;
}

/**
 * Reads one settings file; null when there is none. Invalid entries are left out and reported. A file of our own
 * that is not JSON is an error, because rules it should forbid would be lost.
 */
export async function readLayer(given: SettingsFile): Promise<SettingsLayer | null> {
  const { scope, file, isForeign = false, root } = given;
  const written = readSettingsText(file, { root });
  if (written === null) return null;
  if (typeof written !== 'string') return unusable(given, written.problem);
  if (written.trim() === '') return null;
  const parsed = parseJson(written);
  if ('problem' in parsed) return unusable(given, parsed.problem, parsed.cause);
  // Loaded on demand: a directory without settings never pays for the validator.
  const { checkSettings } = await import('./check-settings.ts');
  const { settings, problems } = checkSettings(parsed.value);
  return {
    scope,
    source: file,
    isForeign,
    settings,
    problems: problems.map(({ field, problem }) => describeProblem(file, field, problem)),
  };
}

export function describeProblem(file: string, field: string, problem: string): string {
  return `${file}: ${field === '' ? '' : `${field}: `}${problem}${/[.?]$/.test(problem) ? '' : '.'}`;
}

function unusable(
  { scope, file, isForeign = false }: SettingsFile,
  problem: string,
  cause?: unknown,
): SettingsLayer {
  if (!isForeign) throw new SettingsError(problem, { file, cause });
  const problems = [describeProblem(file, '', `${problem}; the file is left out`)];
  return { scope, source: file, isForeign, settings: {}, problems };
}

function parseJson(
  written: string,
): { readonly value: unknown } | { readonly problem: string; readonly cause: unknown } {
  try {
    return { value: JSON.parse(written) };
  } catch (error) {
    return { problem: `not valid JSON (${(error as Error).message})`, cause: error };
  }
}
