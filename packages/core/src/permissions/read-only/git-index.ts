import { readFileSync } from 'node:fs';
import path from 'node:path';
import { recordUncacheable } from '../paths/disk-facts.ts';
import { entryStatus, hasSettled, stampOf } from '../paths/file-status.ts';
import type { RepositoryPlace } from './git-place.ts';

/** A parsed index, valid while its file has this stamp. */
interface KnownIndex {
  readonly stamp: string;
  readonly tracked: TrackedEntries | undefined;
}

interface TrackedEntries {
  readonly names: readonly string[];
  /** Whether one of them is a submodule. */
  readonly hasModules: boolean;
}

const known = new Map<string, KnownIndex>();
const MAX_CACHED = 8;
const MAX_BYTES = 64_000_000;

/** The files that git tracks in a working tree, relative to its root; undefined when the index cannot be read. */
export function trackedFiles(place: RepositoryPlace): readonly string[] | undefined {
  return trackedEntries(place)?.names;
}

/** Whether git tracks a submodule, or may do so because the index cannot be read. */
export function mayTrackModules(place: RepositoryPlace): boolean {
  return trackedEntries(place)?.hasModules !== false;
}

function trackedEntries({ gitDirectory }: RepositoryPlace): TrackedEntries | undefined {
  const file = path.join(gitDirectory, 'index');
  const status = entryStatus(file);
  if (status === undefined) return { names: [], hasModules: false };
  if (!status.isFile() || status.size > MAX_BYTES) return undefined;
  const stamp = stampOf(status);
  const before = known.get(file);
  if (before?.stamp === stamp) return before.tracked;
  const tracked = entriesIn(readQuietly(file));
  if (!hasSettled(status)) {
    recordUncacheable(file);
    return tracked;
  }
  if (known.size >= MAX_CACHED) known.clear();
  known.set(file, { stamp, tracked });
  return tracked;
}

/** A directory of tracked files that is now a link: git grep and git blame would read through it. */
export function linkedFolder(place: RepositoryPlace): string | undefined {
  const names = trackedFiles(place);
  if (names === undefined) return '.';
  const folders = new Set<string>();
  for (const name of names) {
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
      folders.add(name.slice(0, at));
    }
  }
  recordUncacheable(place.gitDirectory);
  return [...folders].find(
    (folder) => entryStatus(path.join(place.workTree, folder))?.isSymbolicLink() === true,
  );
}

function readQuietly(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0); // Not accessible: counts as unreadable.
  }
}

const HEADER = 12;
/** Bytes before the hash of an entry: times, device, mode, owner and size; a hash of 20 or 32 bytes follows. */
const FIXED = 40;
const EXTENDED = 0x4000;
/** Where the mode of an entry is, and the mode of a submodule. */
const MODE_AT = 24;
const SUBMODULE = 0o16_0000;

/** Entries of an index of version 2, 3 or 4; undefined for a split index, which holds only part of them. */
function entriesIn(index: Buffer): TrackedEntries | undefined {
  if (index.length < HEADER || index.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = index.readUInt32BE(4);
  const count = index.readUInt32BE(8);
  if (version < 2 || version > 4) return undefined;
  for (const hash of [20, 32]) {
    const read = readEntries(index, { version, count, hash });
    if (read !== undefined) return read;
  }
  return undefined;
}

interface IndexShape {
  readonly version: number;
  readonly count: number;
  readonly hash: number;
}

function readEntries(
  index: Buffer,
  { version, count, hash }: IndexShape,
): TrackedEntries | undefined {
  const names: string[] = [];
  let hasModules = false;
  let at = HEADER;
  let last: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + FIXED + hash;
    const flags = flagsAt + 3 > index.length ? 0 : index.readUInt16BE(flagsAt);
    const start = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    const read = readName(index, { start, version, last });
    // The entry stores the name's length; a mismatch means that the hash has another length.
    if (read === undefined || (flags & 0xfff) !== Math.min(read.name.length, 0xfff))
      return undefined;
    last = read.name;
    hasModules ||= index.readUInt32BE(at + MODE_AT) === SUBMODULE;
    names.push(last.toString('utf8'));
    at = version === 4 ? read.end + 1 : at + Math.ceil((read.end - at + 1) / 8) * 8;
  }
  return isSplit(index, at, hash) ? undefined : { names, hasModules };
}

/** A name up to its NUL; version 4 omits the prefix shared with the previous name. */
function readName(
  index: Buffer,
  {
    start,
    version,
    last,
  }: { readonly start: number; readonly version: number; readonly last: Buffer },
): { readonly name: Buffer; readonly end: number } | undefined {
  const { value, next } = version === 4 ? readNumber(index, start) : { value: 0, next: start };
  const end = index.indexOf(0, next);
  if (end === -1 || value > last.length) return undefined;
  const shared = version === 4 ? last.subarray(0, last.length - value) : Buffer.alloc(0);
  return { name: Buffer.concat([shared, index.subarray(next, end)]), end };
}

/** How many bytes of the previous name are dropped, as a variable-length integer. */
function readNumber(
  index: Buffer,
  from: number,
): { readonly value: number; readonly next: number } {
  let at = from;
  let byte = index[at++] ?? 0;
  let value = byte & 127;
  while ((byte & 128) !== 0 && at < index.length) {
    byte = index[at++] ?? 0;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next: at };
}

/** Whether an extension after the entries refers to another file with more of them. */
function isSplit(index: Buffer, from: number, hash: number): boolean {
  let at = from;
  while (at + 8 <= index.length - hash) {
    if (index.toString('latin1', at, at + 4) === 'link') return true;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return false;
}
