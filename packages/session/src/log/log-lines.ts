import { isAscii } from 'node:buffer';
import { closeSync, createReadStream, readSync } from 'node:fs';
import { openRegularFile } from '../regular-file.ts';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;
/** Longer lines cannot be log entries; they are skipped without being buffered. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const TOO_LONG = '\u0000';
const REFERENCE = '"external-payload"';

/** Lines that were read together. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Whether a line may refer to a payload file; checking the batch is cheaper than each line. */
  readonly mayRefer: boolean;
}

/** Splits bytes into lines at 0x0A only; other line separators are ordinary text inside JSON. */
class LineSplitter {
  #rest: Buffer[] = [];
  #size = 0;

  /** Complete lines are decoded together, which is far cheaper than one by one. */
  push(chunk: Buffer): LineBatch {
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      this.#hold(chunk);
      return { lines: [], mayRefer: false };
    }
    const last = chunk.lastIndexOf(NEWLINE);
    const begun = this.#finish(chunk.subarray(0, first));
    const complete = last > first ? textOf(chunk.subarray(first + 1, last)) : undefined;
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1));
    const lines = complete === undefined ? [] : complete.split('\n');
    lines.unshift(begun);
    return { lines, mayRefer: begun.includes(REFERENCE) || complete?.includes(REFERENCE) === true };
  }

  /** The text after the last newline: empty, or a torn line. */
  end(): LineBatch {
    return { lines: [this.#finish(Buffer.alloc(0))], mayRefer: true };
  }

  #hold(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MAX_LINE_BYTES) this.#rest = [];
    else this.#rest.push(Buffer.from(bytes));
  }

  #finish(last: Buffer): string {
    const size = this.#size + last.length;
    const rest = this.#rest;
    this.#rest = [];
    this.#size = 0;
    // No log line starts with this character, so the line counts as unreadable.
    if (size > MAX_LINE_BYTES) return TOO_LONG;
    if (rest.length === 0) return textOf(last);
    return textOf(Buffer.concat([...rest, last]));
  }
}

/** Yields batches, so that a reader does not await every line. */
export async function* readLineBatches(path: string): AsyncGenerator<LineBatch> {
  const splitter = new LineSplitter();
  const fd = openRegularFile(path, 'read');
  for await (const chunk of createReadStream(path, { fd, highWaterMark: CHUNK_BYTES })) {
    yield splitter.push(chunk as Buffer);
  }
  yield splitter.end();
}

/** Synchronous version, from an offset in the file. */
export function* readLineBatchesSync(path: string, from = 0): Generator<LineBatch> {
  const descriptor = openRegularFile(path, 'read');
  try {
    const splitter = new LineSplitter();
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let position = from;
    for (;;) {
      const size = readSync(descriptor, buffer, 0, CHUNK_BYTES, position);
      if (size === 0) break;
      position += size;
      yield splitter.push(buffer.subarray(0, size));
    }
    yield splitter.end();
  } finally {
    closeSync(descriptor);
  }
}

export function* readLinesSync(path: string): Generator<string> {
  for (const { lines } of readLineBatchesSync(path)) yield* lines;
}

/** Most logs are ASCII, which is copied instead of decoded. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
