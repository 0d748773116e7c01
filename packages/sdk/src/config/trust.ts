import { randomUUID } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { userPaths } from '../paths.ts';
import { SettingsError } from './settings-error.ts';

/** A decision given in code, or a callback that is asked when something in the workspace needs trust. */
export type WorkspaceTrust = boolean | ((directory: string) => Promise<boolean> | boolean);

/** Whether the user trusts this directory or one of its parents. */
export async function isDirectoryTrusted(directory: string): Promise<boolean> {
  if (process.env.ROBOTA_TRUST_WORKSPACE === '1') return true;
  const { trusted } = readTrustFile();
  return withParents(realPathOf(directory)).some((path) => Object.hasOwn(trusted, path));
}

/** A directory that the user trusts, including everything below it. */
export interface TrustedDirectory {
  readonly path: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Every directory that the user trusts. */
export async function listTrustedDirectories(): Promise<TrustedDirectory[]> {
  const { trusted } = readTrustFile();
  return Object.entries(trusted).map(([path, since]) => ({ path, since }));
}

/** Stores that the user trusts a directory and everything below it. */
export async function trustDirectory(directory: string, now = new Date()): Promise<void> {
  const before = readTrustFile();
  await writeTrustFile({ ...before.trusted, [realPathOf(directory)]: now.toISOString() });
}

/** Revokes trust; a trusted parent still applies. False when the directory itself was not trusted. */
export async function distrustDirectory(directory: string): Promise<boolean> {
  const { trusted } = readTrustFile();
  if (!Object.hasOwn(trusted, directory)) return false;
  const { [directory]: _taken, ...rest } = trusted;
  await writeTrustFile(rest);
  return true;
}

async function writeTrustFile(trusted: TrustFile['trusted']): Promise<void> {
  const file = userPaths().trust;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const temporary = `${file}.${randomUUID()}.tmp`;
  await writeFile(temporary, `${JSON.stringify({ version: 1, trusted }, null, 2)}\n`, {
    mode: 0o600,
  });
  await rename(temporary, file);
}

/** Resolves the option of a session; a callback is asked only when file and environment do not grant trust. */
export async function resolveTrust(
  directory: string,
  option: WorkspaceTrust | undefined,
): Promise<boolean> {
  if (typeof option === 'boolean') return option;
  if (await isDirectoryTrusted(directory)) return true;
  return option ? option(directory) : false;
}

interface TrustFile {
  readonly trusted: Readonly<Record<string, string>>;
}

/** Synchronously, because a start would wait longer for the threads that read asynchronously. */
function readTrustFile(): TrustFile {
  const file = userPaths().trust;
  let written: string;
  try {
    written = readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { trusted: {} };
    throw new SettingsError('cannot be read', { file, cause: error });
  }
  try {
    const parsed = JSON.parse(written) as Partial<TrustFile> | null;
    return { trusted: parsed?.trusted ?? {} };
  } catch (error) {
    throw new SettingsError('not valid JSON; delete it to start over', { file, cause: error });
  }
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    throw new Error(`Cannot resolve directory ${directory}`, { cause: error });
  }
}

function withParents(directory: string): string[] {
  const paths = [directory];
  for (let path = directory; path !== dirname(path); path = dirname(path)) {
    paths.push(dirname(path));
  }
  return paths;
}
