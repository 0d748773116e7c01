import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isWithin, readSettingsText } from './read-settings-text.ts';
import { SettingsError } from './settings-error.ts';

/** An object as it is in a JSON file. */
export type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Changes a settings file and keeps everything else in it. `change` returns the new content, or undefined when there
 * is nothing to change; then nothing is written and the result is false. A file of a project is never written outside
 * it, wherever its links lead.
 */
export async function editSettings(
  { file, root }: EditedFile,
  change: (settings: JsonFields) => JsonFields | undefined,
): Promise<boolean> {
  const next = change(readObject(file, root));
  if (next === undefined) return false;
  await mkdir(dirname(file), { recursive: true });
  assertInside(dirname(file), root);
  // The user's own link, such as one to a repository of settings, is kept.
  const target = root === undefined ? await realpath(file).catch(() => file) : file;
  const temporary = `${target}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, target);
  return true;
}

/** A settings file to change. */
export interface EditedFile {
  readonly file: string;
  /** The project of the file; not set for the user's own files. */
  readonly root?: string | undefined;
}

function assertInside(folder: string, root: string | undefined): void {
  if (root === undefined || isWithin(realpathSync(root), realpathSync(folder))) return;
  const problem = `nothing was changed because ${folder} leads out of ${root}`;
  throw new SettingsError(problem, { file: folder });
}

export function asFields(value: unknown): JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonFields)
    : {};
}

/** Throws rather than replace what is there: a file that is not an object is a mistake of its author. */
function readObject(file: string, root: string | undefined): JsonFields {
  const written = readSettingsText(file, { root });
  if (written === null || written === '') return {};
  const fail = (problem: string, cause?: unknown) =>
    new SettingsError(`nothing was changed because the file ${problem}`, { file, cause });
  if (typeof written !== 'string') throw fail(written.problem);
  try {
    const value: unknown = JSON.parse(written);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return value as JsonFields;
    }
  } catch (error) {
    throw fail('is not valid JSON', error);
  }
  throw fail('is not a JSON object');
}
