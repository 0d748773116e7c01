import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { projectPaths } from '../paths.ts';
import { SettingsError } from './settings-error.ts';

/** Adds an allow rule to the project's local settings, keeping everything else in the file as it was. */
export async function rememberProjectRule(cwd: string, pattern: string): Promise<void> {
  const file = projectPaths(cwd).settingsLocal;
  const settings = await readObject(file);
  const permissions = asObject(settings.permissions);
  const allow = Array.isArray(permissions.allow) ? (permissions.allow as unknown[]) : [];
  if (allow.includes(pattern)) return;
  const next = { ...settings, permissions: { ...permissions, allow: [...allow, pattern] } };
  await mkdir(dirname(file), { recursive: true });
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${JSON.stringify(next, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, file);
}

async function readObject(file: string): Promise<Record<string, unknown>> {
  try {
    return asObject(JSON.parse(await readFile(file, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw new SettingsError('the rule was not added because the file is not valid JSON', {
      file,
      cause: error,
    });
  }
}

function asObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}
