import { readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { recordFact } from './disk-facts.ts';
import { cachedStatus, clearStatuses } from './file-status.ts';

/** A path as written (made absolute, `..` resolved) and with every link resolved. */
export interface ResolvedPath {
  readonly literal: string;
  readonly real: string;
}

/** Resolves a path from a tool call; the file need not exist. */
export function resolvePath(text: string, cwd: string): ResolvedPath {
  const literal = path.resolve(cwd, expandHome(text));
  return { literal, real: realPath(literal) };
}

export function expandHome(text: string): string {
  if (text === '~') return homedir();
  return text.startsWith('~/') ? path.join(homedir(), text.slice(2)) : text;
}

const MAX_LINKS = 40;

/** Links are resolved once per decision: a command names the same directories repeatedly. */
const followed = new Map<string, string>();

/** Called at the start of a decision, so that it sees the current disk. */
export function clearPathCaches(): void {
  if (followed.size > 0) followed.clear();
  clearStatuses();
}

/** The real path of the longest part that exists, followed by the rest. */
export function realPath(absolute: string): string {
  const real = followOnce(absolute);
  recordFact('real', { read: followOnce, path: absolute, value: real });
  return real;
}

function followOnce(absolute: string): string {
  const known = followed.get(absolute);
  if (known !== undefined) return known;
  const real = follow(absolute, 0);
  followed.set(absolute, real);
  return real;
}

/** A path that equals its real path has no link in its parents, so they are cached as real too. */
function cacheDirectoriesAbove(absolute: string): void {
  for (let here = path.dirname(absolute); !followed.has(here); here = path.dirname(here)) {
    followed.set(here, here);
  }
}

/** On other systems a real path also corrects the case of a name, which `lstat` does not. */
const ONLY_LINKS_RENAME = process.platform === 'linux';

function follow(absolute: string, links: number): string {
  if (ONLY_LINKS_RENAME && isInRealFolder(absolute) && !isLink(absolute)) return absolute;
  const real = tryRealPath(absolute);
  if (real === absolute) cacheDirectoriesAbove(absolute);
  if (real !== undefined) return real;
  const parent = path.dirname(absolute);
  if (cachedStatus(absolute) === undefined) {
    return parent === absolute ? absolute : path.join(realPath(parent), path.basename(absolute));
  }
  // A link to a missing target: writing through it creates the target.
  return isLink(absolute) && links < MAX_LINKS
    ? follow(path.resolve(parent, readlinkSync(absolute)), links + 1)
    : absolute;
}

function isInRealFolder(absolute: string): boolean {
  const folder = path.dirname(absolute);
  return folder !== absolute && followed.get(folder) === folder;
}

function isLink(absolute: string): boolean {
  return cachedStatus(absolute)?.isSymbolicLink() === true;
}

function tryRealPath(absolute: string): string | undefined {
  try {
    return realpathSync.native(absolute);
  } catch {
    return undefined; // A dangling link: the caller resolves it.
  }
}
