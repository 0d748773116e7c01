import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { recordUncacheable } from '../paths/disk-facts.ts';
import {
  entryStatus,
  hasSettled,
  isPipeOrDevice,
  pathExists,
  stampOf,
} from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';

export interface RepositoryPlace {
  /** The root of the working tree. */
  readonly workTree: string;
  /** The `.git` directory of this working tree. */
  readonly gitDirectory: string;
  /** The git directory shared with other working trees. */
  readonly commonDirectory: string;
  /** `.git` is a file that points to `gitDirectory`. */
  readonly linked: boolean;
}

/** The repository that git would use in a directory. */
export function findRepositoryPlace(directory: string): RepositoryPlace | undefined {
  for (let here = realPath(directory); ; here = path.dirname(here)) {
    const entry = path.join(here, '.git');
    const status = entryStatus(entry);
    if (status?.isDirectory() === true)
      return {
        workTree: here,
        gitDirectory: entry,
        commonDirectory: commonDirectoryOf(entry),
        linked: false,
      };
    if (status?.isFile() === true) return linkedPlace(here, entry);
    if (status !== undefined) return refuse('.git is a link');
    if (['HEAD', 'objects', 'refs'].every((name) => pathExists(path.join(here, name))))
      return refuse('a repository without a working tree is embedded here');
    if (path.dirname(here) === here) return undefined;
  }
}

/** A `.git` file points to the directory of a working tree or a submodule. */
function linkedPlace(here: string, entry: string): RepositoryPlace {
  const [, target] = /^gitdir: (.+)\n?$/.exec(readText(entry) ?? '') ?? [];
  if (target === undefined) return refuse('.git cannot be understood');
  const gitDirectory = path.resolve(here, target);
  return {
    workTree: here,
    gitDirectory,
    commonDirectory: commonDirectoryOf(gitDirectory),
    linked: true,
  };
}

function commonDirectoryOf(gitDirectory: string): string {
  const shared = readText(path.join(gitDirectory, 'commondir'));
  return shared === undefined ? gitDirectory : path.resolve(gitDirectory, shared.trim());
}

/** Refuses a repository in the project that would show contents from outside it. */
export function checkPlace(place: RepositoryPlace, mayRead: (absolute: string) => boolean): void {
  const { gitDirectory, commonDirectory, linked } = place;
  const inProject = mayRead(gitDirectory);
  if (linked && !inProject && !pointsBackToTree(place))
    refuse('.git names a repository of somebody else');
  if (gitDirectory !== commonDirectory && inProject && !mayRead(commonDirectory))
    refuse('.git shares the repository of somebody else');
  for (const folder of new Set([gitDirectory, commonDirectory])) {
    if (mayRead(folder)) checkFolder(folder);
  }
}

/** Whether an outside git directory points back to this working tree, as real working trees and submodules do. */
function pointsBackToTree({ workTree, gitDirectory }: RepositoryPlace): boolean {
  const back = readText(path.join(gitDirectory, 'gitdir'))?.trim();
  if (
    back !== undefined &&
    realPath(path.resolve(gitDirectory, back)) === path.join(workTree, '.git')
  )
    return true;
  const [, named] =
    /^\s*worktree = (.*)$/m.exec(readText(path.join(gitDirectory, 'config')) ?? '') ?? [];
  return named !== undefined && realPath(path.resolve(gitDirectory, named)) === workTree;
}

/** Folders of a repository whose files git reads and prints. */
const READ_FOLDERS = [
  'info',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'objects',
  'objects/info',
  'logs',
];

/** Links and alternate objects would be shown as the repository's own contents. */
function checkFolder(folder: string): void {
  for (const each of [folder, ...READ_FOLDERS.map((name) => path.join(folder, name))]) {
    const link = linkIn(each);
    if (link !== '')
      refuse(
        `${path.join(path.basename(folder), link)} is a link or no file that can be read to its end`,
      );
  }
  if (entryStatus(path.join(folder, 'objects/info/alternates')) !== undefined)
    refuse('the repository takes objects from another one');
}

/** Checked folders, valid while the folder has this stamp. */
const checkedFolders = new Map<string, { readonly stamp: string; readonly link: string }>();

/** The name of a link, pipe or device in a folder; empty when there is none. */
function linkIn(folder: string): string {
  const status = entryStatus(folder);
  if (status?.isDirectory() !== true) return '';
  const stamp = stampOf(status);
  const known = checkedFolders.get(folder);
  if (known?.stamp === stamp) return known.link;
  const entries = readdirSync(folder, { withFileTypes: true });
  const link = entries.find((entry) => entry.isSymbolicLink() || isPipeOrDevice(entry))?.name ?? '';
  if (!hasSettled(status)) {
    recordUncacheable(folder);
    return link;
  }
  if (checkedFolders.size >= MAX_CACHED) checkedFolders.clear();
  checkedFolders.set(folder, { stamp, link });
  return link;
}

/** Contents of small files, valid while the file has this stamp. */
const cachedTexts = new Map<string, { readonly stamp: string; readonly text: string }>();
const MAX_CACHED = 64;
const MAX_BYTES = 1_000_000;

/** The text of a regular file of a repository; undefined when it is missing or not readable. */
export function readText(file: string): string | undefined {
  const status = entryStatus(file);
  if (status === undefined || !status.isFile() || status.size > MAX_BYTES) return undefined;
  const stamp = stampOf(status);
  const known = cachedTexts.get(file);
  if (known?.stamp === stamp) return known.text;
  try {
    const text = readFileSync(file, 'utf8');
    if (!hasSettled(status)) {
      recordUncacheable(file);
      return text;
    }
    if (cachedTexts.size >= MAX_CACHED) cachedTexts.clear();
    cachedTexts.set(file, { stamp, text });
    return text;
  } catch {
    return undefined; // Git runs as the same user and cannot read it either.
  }
}
