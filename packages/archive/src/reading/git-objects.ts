import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync, constants as zlib } from 'node:zlib';
import { applyDelta } from './git-delta.ts';

/** Larger than any ordinary commit object. */
const MAX_BYTES = 256_000;
const MAX_PACKS = 200;
const MAX_DELTAS = 60;

/**
 * Reads commits of a repository, loose or packed, without running git, whose configuration can name programs to run.
 * Memory and work are bounded for every object; a damaged or oversized object counts as missing.
 */
export class GitObjects {
  readonly #folder: string;
  #packs: readonly Pack[] | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  readCommit(id: string): string | undefined {
    try {
      return this.#readLoose(id) ?? this.#readPacked(id);
    } catch {
      // Damaged compressed data, offsets and deltas each throw different errors.
      return undefined;
    }
  }

  close(): void {
    for (const pack of this.#packs ?? []) pack.close();
    this.#packs = undefined;
  }

  #readLoose(id: string): string | undefined {
    const file = openRegular(join(this.#folder, id.slice(0, 2), id.slice(2)));
    if (file === undefined) return undefined;
    try {
      const bytes = inflate(readAt(file, 0, MAX_BYTES));
      const end = bytes.indexOf(0);
      const isCommit = bytes.toString('latin1', 0, 7) === 'commit ' && end > 0;
      return isCommit ? bytes.toString('utf8', end + 1) : undefined;
    } finally {
      closeSync(file);
    }
  }

  #readPacked(id: string): string | undefined {
    this.#packs ??= openPacks(join(this.#folder, 'pack'), id.length / 2);
    const wanted = Buffer.from(id, 'hex');
    for (const pack of this.#packs) {
      const offset = pack.find(wanted);
      if (offset !== undefined) return pack.readCommit(offset);
    }
    return undefined;
  }
}

function openPacks(folder: string, hashLength: number): Pack[] {
  return listIfExists(folder)
    .filter((name) => name.endsWith('.idx'))
    .slice(0, MAX_PACKS)
    .flatMap((name) => {
      const index = openRegular(join(folder, name));
      const data = openRegular(join(folder, `${name.slice(0, -4)}.pack`));
      if (index !== undefined && data !== undefined) return [new Pack(index, data, hashLength)];
      for (const file of [index, data]) if (file !== undefined) closeSync(file);
      return [];
    });
}

const HEADER = 8;
const FANOUT = 256 * 4;
const COMMIT = 1;
const OFFSET_DELTA = 6;
const REFERENCE_DELTA = 7;

/** One pack with its index of version 2. */
class Pack {
  readonly #index: number;
  readonly #data: number;
  readonly #hashLength: number;
  readonly #fanout: Buffer;

  constructor(index: number, data: number, hashLength: number) {
    this.#index = index;
    this.#data = data;
    this.#hashLength = hashLength;
    const head = readAt(index, 0, HEADER + FANOUT);
    const isKnown =
      head.length === HEADER + FANOUT && head.toString('hex', 0, 8) === 'ff744f6300000002';
    this.#fanout = isKnown ? head.subarray(HEADER) : Buffer.alloc(FANOUT);
  }

  close(): void {
    closeSync(this.#index);
    closeSync(this.#data);
  }

  /** The offset of an object in the pack. */
  find(id: Buffer): number | undefined {
    const bucket = id[0] ?? 0;
    let low = bucket === 0 ? 0 : this.#fanout.readUInt32BE((bucket - 1) * 4);
    let high = this.#fanout.readUInt32BE(bucket * 4);
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const place = HEADER + FANOUT + middle * this.#hashLength;
      const order = id.compare(readAt(this.#index, place, this.#hashLength));
      if (order === 0) return this.#offset(middle);
      if (order < 0) high = middle;
      else low = middle + 1;
    }
    return undefined;
  }

  readCommit(offset: number): string | undefined {
    const deltas: Buffer[] = [];
    for (let at = offset; deltas.length <= MAX_DELTAS; ) {
      const { type, bytes } = this.#header(at);
      if (type === COMMIT) {
        const base = inflate(bytes);
        return deltas
          .reduceRight((text, delta) => applyDelta(text, delta, MAX_BYTES), base)
          .toString();
      }
      if (type !== OFFSET_DELTA && type !== REFERENCE_DELTA) return undefined;
      const { base, length } =
        type === OFFSET_DELTA ? offsetBase(bytes, at) : this.#namedBase(bytes);
      deltas.push(inflate(bytes.subarray(length)));
      if (base === undefined) return undefined;
      at = base;
    }
    return undefined;
  }

  /** The type of the object at an offset, and the bytes after its header: a delta's base, then compressed data. */
  #header(offset: number): { readonly type: number; readonly bytes: Buffer } {
    const bytes = readAt(this.#data, offset, READ_BYTES);
    let end = 0;
    while (((bytes[end] ?? 0) & 0x80) !== 0) end += 1;
    return { type: ((bytes[0] ?? 0) >> 4) & 7, bytes: bytes.subarray(end + 1) };
  }

  #namedBase(bytes: Buffer) {
    return { base: this.find(bytes.subarray(0, this.#hashLength)), length: this.#hashLength };
  }

  #offset(position: number): number {
    const count = this.#fanout.readUInt32BE(FANOUT - 4);
    const small = HEADER + FANOUT + count * (this.#hashLength + 4);
    const value = readAt(this.#index, small + position * 4, 4).readUInt32BE(0);
    if (value < 0x80000000) return value;
    const large = small + count * 4 + (value - 0x80000000) * 8;
    return Number(readAt(this.#index, large, 8).readBigUInt64BE(0));
  }
}

/** Bytes read per object; commits are short. */
const READ_BYTES = 16_384;

/** Decodes the distance from a delta back to its base, in groups of seven bits. */
function offsetBase(bytes: Buffer, at: number): { readonly base: number; readonly length: number } {
  let length = 0;
  let distance = (bytes[0] ?? 0) & 0x7f;
  while (((bytes[length] ?? 0) & 0x80) !== 0) {
    length += 1;
    distance = (distance + 1) * 128 + ((bytes[length] ?? 0) & 0x7f);
  }
  if (distance < 1 || distance > at) throw new RangeError('A delta has no base');
  return { base: at - distance, length: length + 1 };
}

function inflate(bytes: Buffer): Buffer {
  return inflateSync(bytes, { maxOutputLength: MAX_BYTES, finishFlush: zlib.Z_SYNC_FLUSH });
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/** Opens a regular file only; a hostile repository may contain pipes or devices. */
function openRegular(path: string): number | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  return undefined;
}

function listIfExists(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
