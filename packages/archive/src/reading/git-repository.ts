import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** What a repository's files reveal without running git. */
export interface GitRepository {
  /** The folder that all work trees share. */
  readonly folder: string;
  readonly name: string;
  /** Inode and creation time of the folder: unique, and unchanged when it is moved on its disk. */
  readonly marker: string | undefined;
  /** `origin`, else the first remote, normalised across protocols. */
  readonly remote: string | undefined;
}

/** The repository that contains a directory. */
export function findRepository(directory: string): GitRepository | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    const common = commonFolder(join(folder, '.git'));
    if (common !== undefined) return readRepository(common);
    if (folder === dirname(folder)) return undefined;
  }
}

function readRepository(folder: string): GitRepository {
  const name = basename(basename(folder) === '.git' ? dirname(folder) : folder);
  const remote = remoteIn(readSmallFile(join(folder, 'config')) ?? '');
  return { folder, name, marker: markerOf(folder), remote };
}

function markerOf(folder: string): string | undefined {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  // Inodes are reused, so without a creation time, which some file systems lack, there is no marker.
  if (found === undefined || found.birthtimeNs <= 0n) return undefined;
  return `${found.ino}-${found.birthtimeNs}`;
}

function commonFolder(git: string): string | undefined {
  const found = statIfExists(git);
  if (found?.isDirectory()) return realPathOf(git);
  const target = /^gitdir:\s*(.+)$/m.exec((found && readSmallFile(git)) ?? '')?.[1]?.trim();
  if (target === undefined) return undefined;
  const own = isAbsolute(target) ? target : resolve(dirname(git), target);
  const shared = readSmallFile(join(own, 'commondir'))?.trim();
  return realPathOf(shared === undefined ? own : resolve(own, shared));
}

function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let section: string | undefined;
  for (const line of config.split('\n')) {
    const header = /^\s*\[(.+)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) section = /^remote "(.+)"$/.exec(header)?.[1];
    const url = /^\s*url\s*=(.*)$/.exec(line)?.[1]?.trim();
    if (section !== undefined && url && !remotes.has(section)) remotes.set(section, url);
  }
  const url = remotes.get('origin') ?? [...remotes.values()][0];
  return url === undefined ? undefined : normaliseRemote(url);
}

/** `git@github.com:a/b.git`, `https://user:token@github.com/a/b` and `ssh://git@github.com:22/a/b` are `github.com/a/b`. */
export function normaliseRemote(url: string): string {
  const short = /^(?:[^@/]+@)?([^:/]+):(?!\/\/)(.+)$/.exec(url);
  const long = /^[a-z][a-z0-9+.-]*:\/\/(?:[^@/]*@)?([^/:]*)(?::\d+)?\/(.+)$/i.exec(url);
  const [, host = '', path = url] = long ?? short ?? [];
  const bare = path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/^\/+/, '');
  return host === '' ? `/${bare}` : `${host.toLowerCase()}/${bare}`;
}

/** Large enough for any configuration written by hand. */
const MAX_BYTES = 1_000_000;

/** The text of a regular file; never blocks on a pipe or device that a repository puts in its place. */
export function readSmallFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    // Missing or unreadable files count as absent.
    return undefined;
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile() || found.size > MAX_BYTES) return undefined;
    const bytes = Buffer.alloc(found.size);
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, 0));
  } finally {
    closeSync(file);
  }
}

function statIfExists(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A path that is too long or inaccessible counts as absent.
    return undefined;
  }
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
