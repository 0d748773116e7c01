import { closeSync, readdirSync, readSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import type { AgentArchitectureType } from '../architecture-type.ts';
import { openExistingNow } from './existing-file.ts';
import type { OriginMemory, TranscriptFamily } from './session-inventory.ts';
import type { SubagentFile } from './transcript-layout.ts';

/** A file that may belong to a session, before it is read. */
export interface InventoryFile {
  readonly path: string;
  readonly folder: string;
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: number;
  readonly inode: number;
}

/** The files below some folders, and the folders to watch with their modification times; 0 for a missing folder. */
export interface WalkedFiles {
  readonly files: readonly InventoryFile[];
  readonly watched: ReadonlyMap<string, number>;
}

export interface InventoryWalk {
  /** Maximum folder depth below the root. */
  readonly depth: number;
  accepts(name: string): boolean;
}

/** Synchronous: for thousands of small files, promises cost more than the work itself. */
export function walkFiles(roots: readonly string[], options: InventoryWalk): WalkedFiles {
  const files: InventoryFile[] = [];
  const watched = new Map<string, number>();
  for (const root of roots) {
    // A missing folder is watched too, so that its first session is noticed.
    if (statIfThere(root) === undefined) watched.set(root, 0);
    walkFolder(root, options.depth, { files, watched, options });
  }
  return { files, watched };
}

interface Walk {
  readonly files: InventoryFile[];
  readonly watched: Map<string, number>;
  readonly options: InventoryWalk;
}

function walkFolder(folder: string, depth: number, walk: Walk): void {
  const found = statIfThere(folder);
  if (!found?.isDirectory()) return;
  // Taken before the folder is read, so that a file that appears meanwhile is noticed next time.
  walk.watched.set(folder, found.mtimeMs);
  for (const entry of entriesOf(folder)) {
    // Both parts are already normalised, and `join` would scan every character of every path.
    const path = `${folder}${sep}${entry.name}`;
    if (entry.isDirectory()) {
      if (depth > 0) walkFolder(path, depth - 1, walk);
    } else if (walk.options.accepts(entry.name)) {
      const file = describeFile(path, folder, entry.name);
      if (file !== undefined) walk.files.push(file);
    }
  }
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort(byName);
  } catch {
    // A folder that disappeared or cannot be read contains no sessions.
    return [];
  }
}

function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return one.name < other.name ? -1 : 1;
}

function describeFile(path: string, folder: string, name: string): InventoryFile | undefined {
  const found = statIfThere(path);
  if (!found?.isFile()) return undefined;
  const { size, mtimeMs, ino } = found;
  return { path, folder, name, size, modifiedAt: mtimeMs, inode: ino };
}

function statIfThere(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    // A path without permission, or below a file, counts as missing.
    return undefined;
  }
}

function stampOf({ size, modifiedAt, inode }: InventoryFile): string {
  return `${inode}/${size}/${modifiedAt}`;
}

export interface HeadReading {
  readonly memory: OriginMemory;
  readonly bytes: number;
  read(head: string): unknown;
}

/** Metadata from the head of a file, cached for as long as the head cannot have changed. */
export function originOf(file: InventoryFile, { memory, bytes, read }: HeadReading): unknown {
  // The head of a growing file does not change once it is complete.
  const isHeadComplete = file.size >= bytes;
  const stamp = isHeadComplete ? `${file.inode}` : stampOf(file);
  const known = memory.recall(file.path, stamp);
  if (known !== undefined) return JSON.parse(known);
  const head = readHeadText(file.path, bytes);
  if (head === undefined) return undefined;
  const origin = JSON.stringify(read(head) ?? null);
  memory.keep(file.path, stamp, origin);
  // Parsed again because a substring would keep the whole head in memory, and there are thousands of heads.
  return JSON.parse(origin);
}

/** Shared, because heads are read one at a time. */
let headBuffer = Buffer.alloc(0);

function readHeadText(path: string, bytes: number): string | undefined {
  try {
    const file = openExistingNow(path);
    if (file === undefined) return undefined;
    try {
      if (headBuffer.length < bytes) headBuffer = Buffer.allocUnsafe(bytes);
      return headBuffer.toString('utf8', 0, readSync(file, headBuffer, 0, bytes, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    // A file that disappeared or cannot be read belongs to no session.
    return undefined;
  }
}

export interface FamilyFiles {
  readonly type: AgentArchitectureType;
  readonly id: string;
  readonly main: InventoryFile;
  readonly parts?: readonly FamilyPart[] | undefined;
  readonly cwd?: string | undefined;
  readonly isOrphan?: true | undefined;
}

export interface FamilyPart extends SubagentFile {
  readonly files: readonly InventoryFile[];
}

export function toFamily({ type, id, main, parts = [], ...rest }: FamilyFiles): TranscriptFamily {
  const files = [main, ...parts.flatMap(({ files: own }) => own)];
  return {
    type,
    id,
    path: main.path,
    parts: parts.map(({ files: _files, ...part }) => part),
    version: [stampOf(main), ...files.slice(1).map((file) => `${file.path}:${stampOf(file)}`)].join(
      '\n',
    ),
    updatedAt: files.reduce((latest, file) => Math.max(latest, file.modifiedAt), main.modifiedAt),
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    ...rest,
  };
}

/** Groups files by folder. */
export function byFolder(
  files: readonly InventoryFile[],
): ReadonlyMap<string, readonly InventoryFile[]> {
  const folders = new Map<string, InventoryFile[]>();
  for (const file of files) {
    const own = folders.get(file.folder);
    if (own === undefined) folders.set(file.folder, [file]);
    else own.push(file);
  }
  return folders;
}
