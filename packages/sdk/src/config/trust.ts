import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { userPaths } from '../paths.ts';
import { SettingsError } from './settings-error.ts';

/** A decision given in code, or a question to ask when something in the workspace depends on it. */
export type WorkspaceTrust = boolean | ((directory: string) => Promise<boolean> | boolean);

/** Whether the user said once that this directory, or one above it, may configure the agent. */
export async function isDirectoryTrusted(directory: string): Promise<boolean> {
  if (process.env.ROBOTA_TRUST_WORKSPACE === '1') return true;
  const { trusted } = await readTrustFile();
  return withParents(realPathOf(directory)).some((path) => Object.hasOwn(trusted, path));
}

/** A directory that the user trusts with all below it. */
export interface TrustedDirectory {
  readonly path: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Every directory that the user said may configure agents. */
export async function listTrustedDirectories(): Promise<TrustedDirectory[]> {
  const { trusted } = await readTrustFile();
  return Object.entries(trusted).map(([path, since]) => ({ path, since }));
}

/** Remembers that the user trusts a directory and all below it. */
export async function trustDirectory(directory: string, now = new Date()): Promise<void> {
  const before = await readTrustFile();
  await writeTrustFile({ ...before.trusted, [realPathOf(directory)]: now.toISOString() });
}

/** Takes trust back; a directory above that is trusted still counts. False when it was not trusted by itself. */
export async function distrustDirectory(directory: string): Promise<boolean> {
  const { trusted } = await readTrustFile();
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

/** Resolves the option of a session; `ask` is consulted only where the file and the environment are silent. */
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

async function readTrustFile(): Promise<TrustFile> {
  const file = userPaths().trust;
  let written: string;
  try {
    written = await readFile(file, 'utf8');
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
    paths.push(join(dirname(path)));
  }
  return paths;
}
