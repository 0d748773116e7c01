import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { entryStatus, isEndless, pathExists, stampOf } from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';

export interface RepositoryPlace {
  /** The directory with the files. */
  readonly tree: string;
  /** The `.git` directory of this working tree. */
  readonly own: string;
  /** The one that it shares with other working trees. */
  readonly common: string;
  /** `.git` is a file that names `own`. */
  readonly linked: boolean;
}

/** The repository that git would use in a directory. */
export function findRepository(directory: string): RepositoryPlace | undefined {
  for (let here = realPath(directory); ; here = path.dirname(here)) {
    const entry = path.join(here, '.git');
    const status = entryStatus(entry);
    if (status?.isDirectory() === true)
      return { tree: here, own: entry, common: commonOf(entry), linked: false };
    if (status?.isFile() === true) return linkedPlace(here, entry);
    if (status !== undefined) return refuse('.git is a link');
    if (['HEAD', 'objects', 'refs'].every((name) => pathExists(path.join(here, name))))
      return refuse('a repository without a working tree is embedded here');
    if (path.dirname(here) === here) return undefined;
  }
}

/** `.git` as a file names the directory of a working tree or a submodule. */
function linkedPlace(here: string, entry: string): RepositoryPlace {
  const [, target] = /^gitdir: (.+)\n?$/.exec(readText(entry) ?? '') ?? [];
  if (target === undefined) return refuse('.git cannot be understood');
  const own = path.resolve(here, target);
  return { tree: here, own, common: commonOf(own), linked: true };
}

function commonOf(own: string): string {
  const shared = readText(path.join(own, 'commondir'));
  return shared === undefined ? own : path.resolve(own, shared.trim());
}

/** Refuses a repository of the project that would show what lies outside of it. */
export function checkPlace(place: RepositoryPlace, mayRead: (absolute: string) => boolean): void {
  const { own, common, linked } = place;
  const prepared = mayRead(own);
  if (linked && !prepared && !knowsTree(place)) refuse('.git names a repository of somebody else');
  if (own !== common && prepared && !mayRead(common))
    refuse('.git shares the repository of somebody else');
  for (const folder of new Set([own, common])) {
    if (mayRead(folder)) checkFolder(folder);
  }
}

/** A repository elsewhere that names this working tree back, as those of working trees and submodules do. */
function knowsTree({ tree, own }: RepositoryPlace): boolean {
  const back = readText(path.join(own, 'gitdir'))?.trim();
  if (back !== undefined && realPath(path.resolve(own, back)) === path.join(tree, '.git'))
    return true;
  const [, named] = /^\s*worktree = (.*)$/m.exec(readText(path.join(own, 'config')) ?? '') ?? [];
  return named !== undefined && realPath(path.resolve(own, named)) === tree;
}

/** Folders of a repository in which git reads files and shows their lines. */
const READ_FOLDERS = [
  'info',
  'rebase-merge',
  'rebase-apply',
  'sequencer',
  'objects',
  'objects/info',
  'logs',
];

/** Links in it and objects from elsewhere would be shown as if they were its own. */
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

/** Folders that were looked at, by when their entries changed last. */
const seen = new Map<string, { readonly stamp: string; readonly link: string }>();

/** The name of a link, pipe or device in a folder; empty when there is none. */
function linkIn(folder: string): string {
  const status = entryStatus(folder);
  if (status?.isDirectory() !== true) return '';
  const stamp = stampOf(status);
  const known = seen.get(folder);
  if (known?.stamp === stamp) return known.link;
  const entries = readdirSync(folder, { withFileTypes: true });
  const link = entries.find((entry) => entry.isSymbolicLink() || isEndless(entry))?.name ?? '';
  if (seen.size >= MOST_KEPT) seen.clear();
  seen.set(folder, { stamp, link });
  return link;
}

/** Texts of small files that have not changed since they were read last. */
const kept = new Map<string, { readonly stamp: string; readonly text: string }>();
const MOST_KEPT = 64;
const MOST_BYTES = 1_000_000;

/** The text of a plain file of a repository; undefined when there is none that we may read. */
export function readText(file: string): string | undefined {
  const status = entryStatus(file);
  if (status === undefined || !status.isFile() || status.size > MOST_BYTES) return undefined;
  const stamp = stampOf(status);
  const known = kept.get(file);
  if (known?.stamp === stamp) return known.text;
  try {
    const text = readFileSync(file, 'utf8');
    if (kept.size >= MOST_KEPT) kept.clear();
    kept.set(file, { stamp, text });
    return text;
  } catch {
    return undefined; // Not readable by us: git, run by us, cannot read it either.
  }
}
