import { type Dirent, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as breathe } from 'node:timers/promises';
import { isFileMissing } from '../architectures/file-missing.ts';
import { IgnoreRules } from './ignore-rules.ts';

/** A file as a look at it finds it. */
export interface TreeFile {
  readonly path: string;
  readonly size: number;
  /** Changes whenever the content may have changed. */
  readonly version: string;
}

/** What walking a directory may be told. */
export interface WalkOptions {
  /** Names of folders that are passed over wherever they are. */
  readonly skippedFolders?: readonly string[] | undefined;
  /** Whether `.gitignore` files are heeded; they are, unless this is `false`. */
  readonly heedsGitignore?: boolean | undefined;
}

/**
 * The files below a folder, sorted by path, each looked at once and none read. Looks are taken one after another,
 * which costs a fifth of what it costs to take them at once, and others get their turn in between.
 */
export async function walkTree(root: string, options: WalkOptions = {}): Promise<TreeFile[]> {
  const { skippedFolders = [], heedsGitignore = true } = options;
  const skipped = new Set(skippedFolders);
  const found: TreeFile[] = [];
  const folders: Folder[] = [{ name: '', rules: IgnoreRules.NONE }];
  let looks = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const place = join(root, folder.name);
    const entries = entriesIn(place).filter((entry) => isWanted(entry, skipped));
    const rules = heedsGitignore ? withOwnRules(folder, place, entries) : folder.rules;
    const prefix = folder.name === '' ? '' : `${folder.name}/`;
    const kept = entries.filter((one) => !rules.isIgnored(prefix + one.name, one.isDirectory()));
    for (const entry of kept) {
      const name = prefix + entry.name;
      if (entry.isDirectory()) folders.push({ name, rules });
      else found.push(...lookAt(join(root, name)));
      if (++looks % LOOKS_AT_ONCE === 0) await breathe();
    }
  }
  return found.sort((one, other) => (one.path < other.path ? -1 : 1));
}

function isWanted(entry: Dirent, skipped: ReadonlySet<string>): boolean {
  return entry.isDirectory() ? !skipped.has(entry.name) : entry.isFile();
}

interface Folder {
  /** Below the root, with `/`. */
  readonly name: string;
  readonly rules: IgnoreRules;
}

function withOwnRules({ name, rules }: Folder, place: string, entries: readonly Dirent[]) {
  const hasRules = entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
  return hasRules ? rules.with(name, readRules(join(place, '.gitignore'))) : rules;
}

function readRules(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // Rules that cannot be read hide nothing.
    return '';
  }
}

function entriesIn(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot list ${folder}`, { cause: error });
  }
}

function lookAt(path: string): TreeFile[] {
  try {
    const { size, mtimeMs, ino } = lstatSync(path);
    return [{ path, size, version: `${mtimeMs}/${size}/${ino}` }];
  } catch (error) {
    // It may be deleted while the folder is being read.
    if (isFileMissing(error)) return [];
    throw new Error(`Cannot look at ${path}`, { cause: error });
  }
}

const LOOKS_AT_ONCE = 512;
