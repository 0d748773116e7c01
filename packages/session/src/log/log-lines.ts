import { closeSync, createReadStream, openSync, readSync } from 'node:fs';

const NEWLINE = 0x0a;
const CHUNK_BYTES = 1024 * 1024;

/** Cuts bytes into lines at 0x0A only; other line separators are ordinary text inside JSON. */
class LineCutter {
  #rest: Buffer[] = [];

  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      yield this.#finish(chunk.subarray(start, end));
      start = end + 1;
    }
    if (start < chunk.length) this.#rest.push(Buffer.from(chunk.subarray(start)));
  }

  /** What follows the last newline: nothing in a sound log, a torn line in another. */
  end(): string {
    return this.#finish(Buffer.alloc(0));
  }

  #finish(last: Buffer): string {
    if (this.#rest.length === 0) return last.toString('utf8');
    const line = Buffer.concat([...this.#rest, last]).toString('utf8');
    this.#rest = [];
    return line;
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

export function* readLinesSync(path: string): Generator<string> {
  const descriptor = openSync(path, 'r');
  try {
    const cutter = new LineCutter();
    const buffer = Buffer.alloc(CHUNK_BYTES);
    for (let size = readSync(descriptor, buffer); size > 0; size = readSync(descriptor, buffer)) {
      yield* cutter.push(buffer.subarray(0, size));
    }
    yield cutter.end();
  } finally {
    closeSync(descriptor);
  }
}
