import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { ReadThread } from '../reading/session-reading.ts';

/** The location of a block in its transcript. */
export interface BlockPlace {
  readonly id: string;
  readonly thread: string;
  readonly isSuperseded: boolean;
  readonly offset: number;
}

/** Packs the locations of all blocks of a session, in index order, into a few bytes each. */
export function packPlaces(threads: readonly ReadThread[]): Uint8Array {
  const lines: string[] = [];
  for (const { thread, isSuperseded, blocks } of threads) {
    lines.push(`${blocks.length} ${isSuperseded ? 1 : 0} ${thread.replaceAll('\n', ' ')}`);
    let before = 0;
    let message = '';
    for (const { id, offset } of blocks) {
      // Block ids of one message share a prefix, so only the differing end is stored.
      const shared = sharedStart(message, id);
      lines.push(
        `${(offset - before).toString(36)} ${shared.toString(36)} ${id.slice(shared).replaceAll('\n', ' ')}`,
      );
      before = offset;
      message = id;
    }
  }
  return deflateRawSync(lines.join('\n'), PACKING);
}

/** Ids hardly repeat: a window of 4 KB takes 1 % more than one of 32 KB, with an eighth of the memory to prepare each time. */
const PACKING = { level: 1, windowBits: 12, memLevel: 5 };

/** Locations of some blocks by their index; parsed from bytes, because most lines are skipped. */
export function unpackPlaces(
  data: Uint8Array,
  wanted: Iterable<number>,
): ReadonlyMap<number, BlockPlace> {
  const places = new Map<number, BlockPlace>();
  const missing = new Set(wanted);
  const lines = new PackedLines(inflateRawSync(data));
  for (let index = 0; missing.size > 0 && !lines.isAtEnd; ) {
    const count = lines.number(10);
    const isSuperseded = lines.number(10) === 1;
    const thread = lines.rest();
    lines.startThread();
    for (let block = 0; block < count && missing.size > 0; block++, index++) {
      lines.nextBlock();
      if (!missing.delete(index)) continue;
      places.set(index, { id: lines.id, thread, isSuperseded, offset: lines.offset });
    }
  }
  return places;
}

/** Reads the output of `packPlaces` line by line. */
class PackedLines {
  readonly #bytes: Buffer;
  #at = 0;
  #id = Buffer.alloc(256);
  #idLength = 0;
  offset = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  get id(): string {
    return this.#id.toString('utf8', 0, this.#idLength);
  }

  startThread(): void {
    this.offset = 0;
    this.#idLength = 0;
  }

  nextBlock(): void {
    this.offset += this.number(36);
    const shared = this.number(36);
    const end = this.#lineEnd();
    const length = shared + end - this.#at;
    if (length > this.#id.length) this.#id = Buffer.concat([this.#id], length * 2);
    this.#bytes.copy(this.#id, shared, this.#at, end);
    this.#idLength = length;
    this.#at = end + 1;
  }

  /** Reads a number and the space after it. */
  number(base: number): number {
    const isNegative = this.#bytes[this.#at] === MINUS;
    if (isNegative) this.#at++;
    let value = 0;
    for (let code = this.#bytes[this.#at++]; code !== undefined && code !== SPACE; ) {
      value = value * base + (code < LETTER_A ? code - DIGIT_0 : code - LETTER_A + 10);
      code = this.#bytes[this.#at++];
    }
    return isNegative ? -value : value;
  }

  rest(): string {
    const end = this.#lineEnd();
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  #lineEnd(): number {
    const end = this.#bytes.indexOf(NEWLINE, this.#at);
    return end === -1 ? this.#bytes.length : end;
  }
}

const [NEWLINE, SPACE, MINUS, DIGIT_0, LETTER_A] = [10, 32, 45, 48, 97];

/** Length of the common prefix of two ids, ASCII only, because the reader counts bytes. */
function sharedStart(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let shared = 0;
  while (shared < length && one.charCodeAt(shared) === other.charCodeAt(shared)) {
    if (one.charCodeAt(shared) > 127) break;
    shared++;
  }
  return shared;
}
