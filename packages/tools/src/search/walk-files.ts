import { constants, type Dirent, readlinkSync, realpathSync } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { hasDescriptorPaths } from '../files/open-resolved.ts';
import { hasCode, isMissing } from '../files/resolve-links.ts';
import { IgnoreRules, NEVER_SEARCHED, readGitignore, rulesAbove } from './ignore-rules.ts';
import { isOpenedAt } from './match-worker.ts';

export interface FileWalkOptions {
  readonly signal: AbortSignal;
  /** Also list symlinks; they are never followed, so there are no loops. */
  readonly withLinks?: boolean | undefined;
}

/** Every file below a folder, whose path has no links, in path order and without files ignored by git. */
export async function* walkFiles(folder: string, options: FileWalkOptions): AsyncGenerator<string> {
  yield* walkFolder(folder, await rulesAbove(folder), options);
}

async function* walkFolder(
  folder: string,
  above: IgnoreRules | undefined,
  options: FileWalkOptions,
): AsyncGenerator<string> {
  options.signal.throwIfAborted();
  const entries = await listFolder(folder);
  const rules = await rulesIn(folder, entries, above);
  for (const entry of entries) {
    if (NEVER_SEARCHED.has(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!rules?.ignores(path, 'folder')) yield* walkFolder(path, rules, options);
    } else if (isNamed(entry, options) && !rules?.ignores(path, 'file')) {
      yield path;
    }
  }
}

function isNamed(entry: Dirent, { withLinks = false }: FileWalkOptions): boolean {
  return entry.isFile() || (withLinks && entry.isSymbolicLink());
}

/** Entries sorted by code point; a folder that vanished or is not readable is empty. */
async function listFolder(folder: string): Promise<Dirent[]> {
  try {
    const entries = await entriesOf(folder);
    return entries.sort((left, right) => compareNames(left.name, right.name));
  } catch (error) {
    if (isMissing(error) || UNREADABLE.some((code) => hasCode(error, code))) return [];
    throw error;
  }
}

/** ELOOP: a link was put in its place. */
const UNREADABLE = ['EACCES', 'EPERM', 'ELOOP'];

/** Lists the open folder, not whatever is at its path by then. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  if (!hasDescriptorPaths()) {
    const entries = await readdir(folder, { withFileTypes: true });
    return (await realpath(folder)) === folder ? entries : [];
  }
  let handle: FileHandle | undefined;
  try {
    const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
    handle = await open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    if (!isOpenedAt(handle.fd, folder, { readlinkSync, realpathSync })) return [];
    return await readdir(`/proc/self/fd/${handle.fd}`, { withFileTypes: true });
  } finally {
    await handle?.close();
  }
}

async function rulesIn(
  folder: string,
  entries: readonly Dirent[],
  above: IgnoreRules | undefined,
): Promise<IgnoreRules | undefined> {
  if (!entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) return above;
  return new IgnoreRules(folder, await readGitignore(folder), above);
}

/** In UTF-8 byte order, as ripgrep sorts. */
export function compareNames(left: string, right: string): number {
  if (left === right) return 0;
  const isPlain = left < right ? -1 : 1;
  const hasSurrogates = /[\ud800-\uffff]/.test(left + right);
  return hasSurrogates ? Buffer.compare(Buffer.from(left), Buffer.from(right)) : isPlain;
}
