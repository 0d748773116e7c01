import { lstatSync, mkdirSync, readFileSync, realpathSync, rmdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { contains } from '../files/workspace.ts';

/** Agent folders whose settings start programs: a confined command must not change what later runs unconfined. */
const AGENT_FOLDERS = ['.robota', '.claude', '.codex', '.gemini', '.husky', '.vscode'];
const AGENT_FILES = ['.mcp.json', '.envrc'];

/** Arguments that make a project writable, except for files that make git and agents run programs. */
export function workspaceMounts(root: string, masks: Masks): readonly string[] {
  return [
    ...['--bind', root, root],
    ...gitMounts(root),
    ...AGENT_FOLDERS.flatMap((name) => folderMount(join(root, name), masks)),
    ...AGENT_FILES.map((name) => join(root, name))
      .filter((file) => kindOf(file) === 'file')
      .flatMap((file) => ['--ro-bind', file, file]),
  ];
}

/** `.git` is mounted onto itself, so that it cannot be moved away and replaced. */
function gitMounts(root: string): readonly string[] {
  const directory = gitDirectory(root);
  if (directory === undefined) return [];
  mkdirSync(join(directory, 'hooks'), { recursive: true });
  const fixed = ['config', 'config.worktree', 'hooks'].map((name) => join(directory, name));
  return [
    ...['--bind', directory, directory],
    ...fixed
      .filter((place) => kindOf(place) !== undefined)
      .flatMap((place) => ['--ro-bind', place, place]),
    ...(kindOf(join(root, '.git')) === 'file'
      ? ['--ro-bind', join(root, '.git'), join(root, '.git')]
      : []),
  ];
}

/** The git directory of a project: its own, or for a linked working tree the one that points back to it. */
function gitDirectory(root: string): string | undefined {
  const entry = join(root, '.git');
  const kind = kindOf(entry);
  if (kind === 'folder') return entry;
  if (kind !== 'file') return undefined;
  const [, target] = /^gitdir: (.+)\n?$/.exec(readOrEmpty(entry)) ?? [];
  if (target === undefined) return undefined;
  const own = resolve(root, target);
  // A file in the project may name any directory; only a real working tree is named back from there.
  if (resolve(own, readOrEmpty(join(own, 'gitdir')).trim()) !== entry) return undefined;
  const shared = resolve(own, readOrEmpty(join(own, 'commondir')).trim() || '.');
  return contains(shared, own) ? shared : undefined;
}

/** An existing folder becomes read-only; a missing one cannot be created. */
function folderMount(folder: string, masks: Masks): readonly string[] {
  const kind = kindOf(folder);
  if (kind === 'folder') return ['--ro-bind', folder, folder];
  if (kind !== undefined) return [];
  masks.add(folder);
  return ['--tmpfs', folder, '--remount-ro', folder];
}

/** Empty folders that mounting leaves in the project, removed when the last command that needs them ends. */
export class Masks {
  static readonly #uses = new Map<string, number>();
  readonly #created: string[] = [];

  add(folder: string): void {
    this.#created.push(folder);
    Masks.#uses.set(folder, (Masks.#uses.get(folder) ?? 0) + 1);
  }

  release(): void {
    for (const folder of this.#created.splice(0)) {
      const left = (Masks.#uses.get(folder) ?? 1) - 1;
      if (left > 0) Masks.#uses.set(folder, left);
      else {
        Masks.#uses.delete(folder);
        removeIfEmpty(folder);
      }
    }
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Never created because the start failed, or no longer empty; neither needs cleanup.
  }
}

function kindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (status.isDirectory()) return 'folder';
  return status.isFile() ? 'file' : 'other';
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Missing: no working tree is named.
  }
}

/** The real path of a directory, or of its nearest existing parent. */
export function realFolder(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return dirname(path) === path ? path : realFolder(dirname(path));
  }
}
