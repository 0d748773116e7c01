import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SettingsError } from './settings-error.ts';

export type JsonFields = Readonly<Record<string, unknown>>;

/**
 * Changes a settings file and keeps everything else in it. `change` returns the new content, or undefined when there
 * is nothing to change; then nothing is written and the result is false.
 */
export async function editSettings(
  file: string,
  change: (settings: JsonFields) => JsonFields | undefined,
): Promise<boolean> {
  const next = change(await readObject(file));
  if (next === undefined) return false;
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, file);
  return true;
}

export function asFields(value: unknown): JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonFields)
    : {};
}

async function readObject(file: string): Promise<JsonFields> {
  try {
    return asFields(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError('nothing was changed because the file is not valid JSON', {
      file,
      cause: error,
    });
  }
}
