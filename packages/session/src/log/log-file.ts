import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const NEWLINE = 0x0a;
/** How often we look whether the file still is at its path: a look costs as much as a write. */
const LOOK_EVERY_MS = 100;
/** Text that cannot be written is kept up to this size. */
const MOST_UNWRITTEN_BYTES = 64 * 1024 * 1024;

/** Where the bytes of most lines are made, one text at a time: a buffer for each would cost more than its bytes. */
const shared = Buffer.allocUnsafeSlow(96 * 1024);
/** A character has three bytes at most. */
const MOST_SHARED_CHARACTERS = shared.length / 3;

/**
 * An open log, appended with write(2); a torn last line is closed before anything follows it. What the disk does
 * not take is kept and written first by the next append, so that a full disk leaves no hole once there is room.
 */
export class LogFile {
  readonly #path: string;
  #descriptor: number | undefined;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #size = 0;
  #lookAt = 0;
  /** Never rejects: whoever asked for the sync hears of its failure. */
  #syncing: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Bytes in the file; undefined while some are missing from it. */
  get size(): number | undefined {
    return this.#unwritten.length === 0 ? this.#size : undefined;
  }

  /** Throws when the disk does not take it; the text is not lost by that, unless there is far too much of it. */
  append(text: string): void {
    this.#leaveRemovedFile();
    const descriptor = this.#descriptor ?? this.#openOrKeep(text);
    if (this.#unwritten.length > 0) {
      this.#keep(Buffer.from(text));
      this.flush();
      return;
    }
    const isShort = text.length <= MOST_SHARED_CHARACTERS;
    const bytes = isShort ? shared : Buffer.from(text);
    const size = isShort ? shared.write(text) : bytes.length;
    let written: number;
    try {
      written = writeSync(descriptor, bytes, 0, size);
    } catch (error) {
      this.#keep(Buffer.from(text));
      throw error;
    }
    this.#size += written;
    if (written === size) return;
    this.#keep(Buffer.from(text).subarray(written));
    this.flush();
  }

  /** Tries again what could not be written. */
  flush(): void {
    while (this.#unwritten.length > 0) {
      const [first] = this.#unwritten as [Buffer];
      const descriptor = this.#descriptor ?? this.#open();
      const written = writeSync(descriptor, first);
      this.#size += written;
      this.#unwrittenBytes -= written;
      if (written < first.length) this.#unwritten[0] = first.subarray(written);
      else this.#unwritten.shift();
    }
  }

  /** Resolves when the disk has it; a file that was never opened has nothing to sync. */
  sync(): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return Promise.resolve();
    const synced = new Promise<void>((resolve, reject) => {
      fdatasync(descriptor, (error) => (error ? reject(error) : resolve()));
    });
    this.#syncing = synced.catch(() => undefined);
    return synced;
  }

  /** A sync that is under way still needs the descriptor and closes it afterwards. */
  close(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    this.#descriptor = undefined;
    if (this.#syncing === undefined) closeSync(descriptor);
    else void this.#syncing.then(() => closeSync(descriptor));
  }

  /** A file that was removed or replaced under us keeps nothing: what follows goes to the one at the path. */
  #leaveRemovedFile(): void {
    if (this.#descriptor === undefined) return;
    const now = performance.now();
    if (now < this.#lookAt) return;
    this.#lookAt = now + LOOK_EVERY_MS;
    if (fstatSync(this.#descriptor).nlink === 0) this.close();
  }

  #openOrKeep(text: string): number {
    try {
      return this.#open();
    } catch (error) {
      this.#keep(Buffer.from(text));
      throw error;
    }
  }

  #open(): number {
    const descriptor = openSync(this.#path, 'a+', 0o600);
    this.#descriptor = descriptor;
    const { size } = fstatSync(descriptor);
    this.#size = size;
    if (size > 0) {
      const last = Buffer.alloc(1);
      readSync(descriptor, last, 0, 1, size - 1);
      if (last[0] !== NEWLINE) this.#size += writeSync(descriptor, '\n');
    }
    return descriptor;
  }

  #keep(bytes: Buffer): void {
    if (this.#unwrittenBytes + bytes.length > MOST_UNWRITTEN_BYTES) {
      throw new Error(`The log ${this.#path} cannot be written and too much is waiting for it`);
    }
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
  }
}
