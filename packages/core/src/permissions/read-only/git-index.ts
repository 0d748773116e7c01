import { readFileSync } from 'node:fs';
import path from 'node:path';
import { noteFact } from '../paths/disk-facts.ts';
import { entryStatus, stampOf } from '../paths/file-status.ts';
import type { RepositoryPlace } from './git-place.ts';

/** A list of files that was read, by when it was written. */
interface KnownIndex {
  readonly stamp: string;
  readonly names: readonly string[] | undefined;
}

const known = new Map<string, KnownIndex>();
const MOST_KNOWN = 8;
const MOST_BYTES = 64_000_000;

/** The files that git tracks in a working tree, from its root; undefined when the list cannot be read. */
export function trackedFiles({ own }: RepositoryPlace): readonly string[] | undefined {
  const file = path.join(own, 'index');
  const status = entryStatus(file);
  if (status === undefined) return [];
  if (!status.isFile() || status.size > MOST_BYTES) return undefined;
  const stamp = stampOf(status);
  const before = known.get(file);
  if (before?.stamp === stamp) return before.names;
  const names = namesIn(readQuietly(file));
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(file, { stamp, names });
  return names;
}

/** A directory of tracked files that is a link by now: git grep and git blame would read what it leads to. */
export function linkedFolder(place: RepositoryPlace): string | undefined {
  const names = trackedFiles(place);
  if (names === undefined) return '.';
  const folders = new Set<string>();
  for (const name of names) {
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) {
      folders.add(name.slice(0, at));
    }
  }
  // Too many to look up again: such a judgement is never used twice.
  noteFact('folders', { learn: String, path: place.own, learned: '' });
  return [...folders].find(
    (folder) => entryStatus(path.join(place.tree, folder))?.isSymbolicLink() === true,
  );
}

function readQuietly(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch {
    return Buffer.alloc(0); // Closed to us: counts as not understood.
  }
}

const HEADER = 12;
/** Before the flags of an entry: times, device, mode, owner, size and a hash of 20 or 32 bytes. */
const FIXED = 40;
const EXTENDED = 0x4000;

/** Names of an index of version 2, 3 or 4; of one that is split over two files only part would be seen. */
function namesIn(index: Buffer): readonly string[] | undefined {
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
): readonly string[] | undefined {
  const names: string[] = [];
  let at = HEADER;
  let last: Buffer = Buffer.alloc(0);
  for (let entry = 0; entry < count; entry++) {
    const flagsAt = at + FIXED + hash;
    const flags = flagsAt + 3 > index.length ? 0 : index.readUInt16BE(flagsAt);
    const start = flagsAt + ((flags & EXTENDED) === 0 ? 2 : 4);
    const read = readName(index, { start, version, last });
    // The length stands beside the name: where they differ, the hash has another length than thought.
    if (read === undefined || (flags & 0xfff) !== Math.min(read.name.length, 0xfff))
      return undefined;
    last = read.name;
    names.push(last.toString('utf8'));
    at = version === 4 ? read.end + 1 : at + Math.ceil((read.end - at + 1) / 8) * 8;
  }
  return isSplit(index, at, hash) ? undefined : names;
}

/** A name up to its NUL; version 4 leaves out what it shares with the name before. */
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

/** How much of the name before is left out, seven bits at a time. */
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

/** Whether extensions after the entries name another file with more of them. */
function isSplit(index: Buffer, from: number, hash: number): boolean {
  let at = from;
  while (at + 8 <= index.length - hash) {
    if (index.toString('latin1', at, at + 4) === 'link') return true;
    at += 8 + index.readUInt32BE(at + 4);
  }
  return false;
}
