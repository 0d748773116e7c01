import { type FileHandle, open, stat } from 'node:fs/promises';
import { isFileMissing } from '../architectures/file-missing.ts';
import { LineSplitter } from '../line-splitter.ts';

/** What has become of a file since it was looked at last. */
export type FileChange = 'none' | 'grown' | 'replaced';

type OnLine = (line: string, offset: number) => void;

/** The lines that are appended to a file, each once. A file that is gone stays as it was, until another is there. */
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

  /** After `replaced` these lines are no longer those of the file: another reading has to begin. */
  async read(): Promise<FileChange> {
    const found = await statOf(this.#path);
    if (found === undefined) return 'none';
    const { ino, size } = found;
    if (this.#inode !== undefined && (ino !== this.#inode || size < this.#offset)) {
      return 'replaced';
    }
    if (size === this.#offset) return 'none';
    const file = await openQuietly(this.#path);
    if (file === undefined) return 'none';
    try {
      if (!(await this.#hasSameHead(file))) return 'replaced';
      this.#inode = ino;
      return (await this.#readOn(file)) ? 'grown' : 'none';
    } finally {
      await file.close();
    }
  }

  async #hasSameHead(file: FileHandle): Promise<boolean> {
    const head = Buffer.alloc(this.#head.length);
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    return bytesRead === head.length && head.equals(this.#head);
  }

  async #readOn(file: FileHandle): Promise<boolean> {
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

/** The file's facts; `undefined` when there is none. */
export async function statOf(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot look at ${path}`, { cause: error });
  }
}

async function openQuietly(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot open ${path}`, { cause: error });
  }
}

const CHUNK_BYTES = 1 << 18;
/** A file that begins otherwise is another one, even in the same place and longer. */
const HEAD_BYTES = 256;
