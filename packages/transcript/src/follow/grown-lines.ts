import { type FileHandle, stat } from 'node:fs/promises';
import { openExisting } from '../architectures/existing-file.ts';
import { isFileMissing } from '../architectures/file-missing.ts';
import { LineSplitter } from '../line-splitter.ts';

/** How a file changed since the last read. */
export type FileGrowth = 'none' | 'grown' | 'replaced';

type OnLine = (line: string, offset: number) => void;

/** Reads the lines appended to a file, each once. A deleted file counts as unchanged until it is replaced. */
export class GrownLines {
  readonly #path: string;
  readonly #splitter: LineSplitter;
  #offset = 0;
  #inode: number | undefined;
  #head: Buffer = Buffer.alloc(0);

  constructor(path: string, onLine: OnLine) {
    this.#path = path;
    this.#splitter = new LineSplitter(onLine);
  }

  /** After `replaced` the file must be read again from the start by a new instance. */
  async read(): Promise<FileGrowth> {
    const found = await statOf(this.#path);
    if (found === undefined) return 'none';
    const { ino, size } = found;
    if (this.#inode !== undefined && (ino !== this.#inode || size < this.#offset)) {
      return 'replaced';
    }
    if (size === this.#offset) return 'none';
    const file = await openExisting(this.#path);
    if (file === undefined) return 'none';
    try {
      if (!(await this.#hasSameHead(file))) return 'replaced';
      this.#inode = ino;
      return (await this.#readRest(file)) ? 'grown' : 'none';
    } finally {
      await file.close();
    }
  }

  async #hasSameHead(file: FileHandle): Promise<boolean> {
    const head = Buffer.alloc(this.#head.length);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return bytesRead === head.length && head.equals(this.#head);
  }

  async #readRest(file: FileHandle): Promise<boolean> {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    const before = this.#splitter.offset;
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, this.#offset);
      if (bytesRead === 0) return this.#splitter.offset > before;
      const bytes = chunk.subarray(0, bytesRead);
      const missing = HEAD_BYTES - this.#head.length;
      if (missing > 0) this.#head = Buffer.concat([this.#head, bytes.subarray(0, missing)]);
      this.#offset += bytesRead;
      this.#splitter.write(bytes);
    }
  }
}

/** `undefined` if the file does not exist. */
export async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot access ${path}`, { cause: error });
  }
}

const CHUNK_BYTES = 1 << 18;
/** A different head means another file, even at the same path and longer. */
const HEAD_BYTES = 256;
