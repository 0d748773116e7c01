import { realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { findRepository } from './git-repository.ts';
import { findRootCommit } from './root-commit.ts';

/** The project of a directory, independent of its current path. */
export interface ProjectIdentity {
  /**
   * `remote:github.com/owner/name`; without a remote `commit:…`, the first commit; without one that can be found
   * `repository:…`, the marker of the repository; outside of repositories `path:/…`.
   */
  readonly key: string;
  readonly name: string;
  /** The repository's marker; see `GitRepository`. */
  readonly marker?: string | undefined;
}

/** Known projects by repository marker, which saves searching for the first commit again. */
export type KnownRepositories = (marker: string) => ProjectIdentity | undefined;

/**
 * Identifies the project of a directory by its git remote, so that clones, work trees and moved directories are one;
 * without a remote by the repository, which may be moved; without a repository by the directory itself. Runs no program
 * and reads a bounded number of commits.
 */
export function identifyProject(
  cwd: string,
  known: KnownRepositories = () => undefined,
): ProjectIdentity {
  const directory = realPathOrGiven(cwd);
  const repository = findRepository(directory);
  if (repository === undefined)
    return { key: `path:${directory}`, name: basename(directory) || directory };
  const { remote, marker, name, folder } = repository;
  if (remote !== undefined) return { key: `remote:${remote}`, name: basename(remote), marker };
  const before = marker === undefined ? undefined : known(marker);
  // The first result is kept, so that an unrelated branch or a rewritten first commit makes no new project.
  if (before !== undefined)
    return { key: before.key, name: before.key.startsWith('remote:') ? before.name : name, marker };
  const commit = findRootCommit(folder);
  if (commit !== undefined) return { key: `commit:${commit}`, name, marker };
  return { key: marker === undefined ? `path:${folder}` : `repository:${marker}`, name, marker };
}

/** As `identifyProject`, for a catalogue shared by machines: markers are local, so the path is used instead. */
export function identifySharedProject(cwd: string): ProjectIdentity {
  const { key, name } = identifyProject(cwd);
  if (!key.startsWith('repository:')) return { key, name };
  return { key: `path:${findRepository(realPathOrGiven(cwd))?.folder}`, name };
}

function realPathOrGiven(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    // A deleted directory still identifies its sessions.
    return resolve(path);
  }
}
