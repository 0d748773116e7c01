import { type Dirent, lstatSync, readdirSync, type Stats } from 'node:fs';
import { setImmediate as nextTick } from 'node:timers/promises';
import { isMissing } from '../files/resolve-links.ts';
import { IgnoreRules, NEVER_SEARCHED, readGitignore, rulesAbove } from '../search/ignore-rules.ts';

export interface ScanLimits {
  readonly mostFiles: number;
  /** Milliseconds; checked between directories. */
  readonly mostTime: number;
  /** Folders that are skipped. */
  readonly leftOut?: readonly string[] | undefined;
}

export interface TreeScan {
  readonly files: ReadonlyMap<string, Stats>;
  readonly folders: ReadonlySet<string>;
  /** True when a limit stopped the scan: missing files may still exist. */
  readonly isCut: boolean;
}

/** The longest time in milliseconds before yielding to the event loop. */
const SLICE_MS = 8;

/**
 * The status of every file and link below a folder, without files ignored by git, `.git` and `node_modules`. Links are
 * not followed.
 */
export async function scanTree(root: string, limits: ScanLimits): Promise<TreeScan> {
  const scan = { files: new Map<string, Stats>(), folders: new Set<string>() };
  const open: OpenFolder[] = [{ path: root, rules: await rulesAbove(root) }];
  const end = performance.now() + limits.mostTime;
  let pause = performance.now() + SLICE_MS;
  for (let at = open.pop(); at; at = open.pop()) {
    const now = performance.now();
    if (now > end || scan.files.size > limits.mostFiles) return { ...scan, isCut: true };
    if (now > pause) {
      await nextTick();
      pause = performance.now() + SLICE_MS;
    }
    const entries = listFolder(at.path);
    if (entries === undefined) continue;
    scan.folders.add(at.path);
    const rules = hasRules(entries)
      ? new IgnoreRules(at.path, await readGitignore(at.path), at.rules)
      : at.rules;
    addEntries(entries, { path: at.path, rules }, { files: scan.files, open, limits });
  }
  return { ...scan, isCut: false };
}

interface OpenFolder {
  readonly path: string;
  readonly rules: IgnoreRules | undefined;
}

function addEntries(
  entries: readonly Dirent[],
  { path, rules }: OpenFolder,
  found: { files: Map<string, Stats>; open: OpenFolder[]; limits: ScanLimits },
): void {
  const base = path === '/' ? '' : path;
  for (const entry of entries) {
    if (NEVER_SEARCHED.has(entry.name)) continue;
    const child = `${base}/${entry.name}`;
    if (entry.isDirectory()) {
      const isLeftOut = found.limits.leftOut?.includes(child) || rules?.ignores(child, 'folder');
      if (!isLeftOut) found.open.push({ path: child, rules });
    } else if (!rules?.ignores(child, 'file')) {
      const status = statusOf(child);
      if (status) found.files.set(child, status);
    }
  }
}

function hasRules(entries: readonly Dirent[]): boolean {
  return entries.some((entry) => entry.name === '.gitignore' && entry.isFile());
}

/** A folder that vanished or is not readable is skipped. */
function listFolder(path: string): Dirent[] | undefined {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error) return undefined;
    throw error;
  }
}

function statusOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
