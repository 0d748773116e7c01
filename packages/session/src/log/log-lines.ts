import { closeSync, createReadStream, openSync, readSync } from 'node:fs';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;
/** Longer lines are no entries of ours; their bytes are passed over without being held. */
const MOST_LINE_BYTES = 64 * 1024 * 1024;
const TOO_LONG = '\u0000';

/** Cuts bytes into lines at 0x0A only; other line separators are ordinary text inside JSON. */
class LineCutter {
  #rest: Buffer[] = [];
  #size = 0;

  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#hold(chunk.subarray(start));
  }

  /** What follows the last newline: nothing in a sound log, a torn line in another. */
  end(): string {
    return this.#finish(Buffer.alloc(0));
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
    if (rest.length === 0) return last.toString('utf8');
    return Buffer.concat([...rest, last]).toString('utf8');
  }
}

/** Batches of lines, so that a reader does not wait once for each of them. */
export async function* readLineBatches(path: string): AsyncGenerator<Iterable<string>> {
  const cutter = new LineCutter();
  for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES })) {
    yield cutter.push(chunk as Buffer);
  }
  yield [cutter.end()];
}

export function* readLinesSync(path: string, from = 0): Generator<string> {
  const descriptor = openSync(path, 'r');
  try {
    const cutter = new LineCutter();
    const buffer = Buffer.alloc(CHUNK_BYTES);
    let position = from;
    for (;;) {
      const size = readSync(descriptor, buffer, 0, CHUNK_BYTES, position);
      if (size === 0) break;
      position += size;
      yield* cutter.push(buffer.subarray(0, size));
    }
    yield cutter.end();
  } finally {
    closeSync(descriptor);
  }
}
