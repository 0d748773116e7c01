import { readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';

/** What a directory belongs to, wherever it lies today. */
export interface ProjectIdentity {
  /** `remote:github.com/owner/name`, or `path:/…` for what has no remote. */
  readonly key: string;
  readonly name: string;
}

/**
 * The project of a directory: that of its git remote, so that clones, work trees and moved directories are one; without
 * a remote the repository's own place; without a repository the directory itself. Runs no program.
 */
export function identifyProject(cwd: string): ProjectIdentity {
  const directory = realPathOrGiven(cwd);
  for (let folder = directory; ; folder = dirname(folder)) {
    const common = commonGitFolder(join(folder, '.git'));
    if (common !== undefined) return ofRepository(common);
    if (folder === dirname(folder)) break;
  }
  return { key: `path:${directory}`, name: basename(directory) || directory };
}

function ofRepository(common: string): ProjectIdentity {
  const remote = remoteIn(readIfThere(join(common, 'config')) ?? '');
  if (remote !== undefined) return { key: `remote:${remote}`, name: basename(remote) };
  const root = basename(common) === '.git' ? dirname(common) : common;
  return { key: `path:${root}`, name: basename(root) };
}

/** The folder that all work trees of a repository share. */
function commonGitFolder(git: string): string | undefined {
  const found = statSync(git, { throwIfNoEntry: false });
  if (found?.isDirectory()) return realPathOrGiven(git);
  const target = /^gitdir:\s*(.+)$/m.exec((found && readIfThere(git)) ?? '')?.[1]?.trim();
  if (target === undefined) return undefined;
  const own = isAbsolute(target) ? target : resolve(dirname(git), target);
  const shared = readIfThere(join(own, 'commondir'))?.trim();
  return realPathOrGiven(shared === undefined ? own : resolve(own, shared));
}

/** `origin`, else the first remote, in one spelling whatever the protocol. */
function remoteIn(config: string): string | undefined {
  const remotes = new Map<string, string>();
  let section: string | undefined;
  for (const line of config.split('\n')) {
    const header = /^\s*\[(.+)\]\s*$/.exec(line)?.[1];
    if (header !== undefined) section = /^remote "(.+)"$/.exec(header)?.[1];
    const url = /^\s*url\s*=\s*(.+?)\s*$/.exec(line)?.[1];
    if (section !== undefined && url !== undefined && !remotes.has(section))
      remotes.set(section, url);
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

function realPathOrGiven(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A directory that is gone is still where its sessions ran.
    return resolve(path);
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Without the file, or without the right to read it, there is nothing to know.
    return undefined;
  }
}
