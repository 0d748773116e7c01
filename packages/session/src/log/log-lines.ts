import { isAscii } from 'node:buffer';
import { closeSync, createReadStream, openSync, readSync } from 'node:fs';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;
/** Longer lines are no entries of ours; their bytes are passed over without being held. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;
const TOO_LONG = '\u0000';
const REFERENCE = '"external-payload"';

/** Lines that were read together. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Whether one of them may refer to a file beside the log; looking once is cheaper than looking in each. */
  readonly mayRefer: boolean;
}

/** Cuts bytes into lines at 0x0A only; other line separators are ordinary text inside JSON. */
class LineCutter {
  #rest: Buffer[] = [];
  #size = 0;

  /** The whole lines are decoded together, which costs a fraction of decoding each. */
  push(chunk: Buffer): LineBatch {
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      this.#hold(chunk);
      return { lines: [], mayRefer: false };
    }
    const last = chunk.lastIndexOf(NEWLINE);
    const begun = this.#finish(chunk.subarray(0, first));
    const whole = last > first ? textOf(chunk.subarray(first + 1, last)) : undefined;
    if (last + 1 < chunk.length) this.#hold(chunk.subarray(last + 1));
    const lines = whole === undefined ? [] : whole.split('\n');
    lines.unshift(begun);
    return { lines, mayRefer: begun.includes(REFERENCE) || whole?.includes(REFERENCE) === true };
  }

  /** What follows the last newline: nothing in a sound log, a torn line in another. */
  end(): LineBatch {
    return { lines: [this.#finish(Buffer.alloc(0))], mayRefer: true };
  }

  #hold(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > MOST_LINE_BYTES) this.#rest = [];
    else this.#rest.push(Buffer.from(bytes));
  }

  #finish(last: Buffer): string {
    const size = this.#size + last.length;
    const rest = this.#rest;
    this.#rest = [];
    this.#size = 0;
    // No line of a log begins like this, so it is counted as unreadable.
    if (size > MOST_LINE_BYTES) return TOO_LONG;
    if (rest.length === 0) return textOf(last);
    return textOf(Buffer.concat([...rest, last]));
  }
}

/** Batches of lines, so that a reader does not wait once for each of them. */
export async function* readLineBatches(path: string): AsyncGenerator<LineBatch> {
  const cutter = new LineCutter();
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    yield cutter.push(chunk as Buffer);
  }
  yield cutter.end();
}

/** The same at once, from a place in the file. */
export function* readLineBatchesSync(path: string, from = 0): Generator<LineBatch> {
  const descriptor = openSync(path, 'r');
  try {
    const cutter = new LineCutter();
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let position = from;
    for (;;) {
      const size = readSync(descriptor, buffer, 0, CHUNK_BYTES, position);
      if (size === 0) break;
      position += size;
      yield cutter.push(buffer.subarray(0, size));
    }
    yield cutter.end();
  } finally {
    closeSync(descriptor);
  }
}

export function* readLinesSync(path: string): Generator<string> {
  for (const { lines } of readLineBatchesSync(path)) yield* lines;
}

/** Most logs are ASCII, and that is copied where other text has to be decoded. */
export function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}
