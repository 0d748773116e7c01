/**
 * Splits bytes into lines at 0x0A across chunk boundaries; never splits a multi-byte character. Of a line that is longer
 * than `limit` bytes only the start is given, which no parser takes for a record: it could not be held as one string.
 */
export class LineSplitter {
  readonly #onLine: (text: string, offset: number) => void;
  readonly #limit: number;
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  /** Offset at which the incomplete line begins. */
  #lineStart: number;
  #written: number;

  /** `offset` is the file position of the first byte. */
  constructor(onLine: (text: string, offset: number) => void, offset = 0, limit = MAX_LINE_BYTES) {
    this.#onLine = onLine;
    this.#limit = limit;
    this.#lineStart = offset;
    this.#written = offset;
  }

  /** Offset after the last complete line. */
  get offset(): number {
    return this.#lineStart;
  }

  write(chunk: Uint8Array): void {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#emit(chunk.subarray(start, end));
      start = end + 1;
      this.#lineStart = this.#written + start;
    }
    this.#written += chunk.length;
    // Copied because the reader may reuse the chunk's memory; `slice` of a Node buffer does not copy.
    if (start < chunk.length) this.#keep(new Uint8Array(chunk.subarray(start)));
  }

  #keep(piece: Uint8Array): void {
    this.#pendingBytes += piece.length;
    if (this.#pendingBytes <= this.#limit) this.#pending.push(piece);
    else this.#pending = [startOf(this.#pending[0] ?? piece)];
  }

  /** A last line without a newline counts as a line. */
  end(): void {
    if (this.#pending.length > 0) this.#emit(new Uint8Array(0));
  }

  #emit(rest: Uint8Array): void {
    if (this.#pending.length === 0) {
      this.#onLine(decoder.decode(rest), this.#lineStart);
      return;
    }
    if (rest.length > 0) this.#keep(rest);
    const line = joinBytes(this.#pending);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#onLine(decoder.decode(line), this.#lineStart);
  }
}

/** Calls `onLine` for every line of a text with the UTF-8 byte offset at which it begins. */
export function forEachLine(text: string, onLine: (line: string, offset: number) => void): void {
  let start = 0;
  let offset = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const line = text.slice(start, end);
    onLine(line, offset);
    start = end + 1;
    offset += byteLength(line) + 1;
  }
  if (start < text.length) onLine(text.slice(start), offset);
}

/** Most lines are ASCII and need no encoding. */
function byteLength(line: string): number {
  return NOT_ASCII.test(line) ? encoder.encode(line).length : line.length;
}

const NOT_ASCII = /[^\0-\x7f]/;
const encoder = new TextEncoder();

function joinBytes(parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** A quarter of the longest string that JavaScript can hold. */
const MAX_LINE_BYTES = 1 << 27;
const START_BYTES = 64;

function startOf(line: Uint8Array): Uint8Array {
  return line.slice(0, Math.min(START_BYTES, line.length - 1));
}

const NEWLINE = 0x0a;
const decoder = new TextDecoder();
