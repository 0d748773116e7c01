import { closeSync, fdatasync, fstatSync, readSync, writeSync } from 'node:fs';
import { openRegularFile } from '../regular-file.ts';

const NEWLINE = 0x0a;
/** Interval of checks whether the file was removed: a check costs as much as a write. */
const CHECK_EVERY_MS = 100;
/** Limit for text that is kept because it could not be written. */
const MAX_UNWRITTEN_BYTES = 64 * 1024 * 1024;

/** Shared encode buffer for short lines: allocating one for each would cost more than encoding. */
const shared = Buffer.allocUnsafeSlow(96 * 1024);
/** A UTF-16 code unit takes at most three bytes of UTF-8. */
const MAX_SHARED_CHARACTERS = shared.length / 3;

/**
 * A log opened for appending with write(2); a torn last line is ended before anything follows. Text that cannot be
 * written is kept and written first by the next append, so a full disk leaves no gap once there is room.
 */
export class LogFile {
  readonly #path: string;
  #descriptor: number | undefined;
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #size = 0;
  #nextCheckAt = 0;
  /** Never rejects: the caller of `sync` gets the failure. */
  #syncing: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** Size in bytes; undefined while text is unwritten. */
  get size(): number | undefined {
    return this.#unwritten.length === 0 ? this.#size : undefined;
  }

  /** Throws when the write fails; the text is kept for the next append unless too much is unwritten. */
  append(text: string): void {
    this.#closeRemovedFile();
    const descriptor = this.#descriptor ?? this.#openOrKeep(text);
    if (this.#unwritten.length > 0) {
      this.#keep(Buffer.from(text));
      this.flush();
      return;
    }
    const isShort = text.length <= MAX_SHARED_CHARACTERS;
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

  /** Retries unwritten text. */
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

  /** Resolves when the data is on disk; a file that was never opened has nothing to sync. */
  sync(): Promise<void> {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return Promise.resolve();
    const synced = new Promise<void>((resolve, reject) => {
      fdatasync(descriptor, (error) => (error ? reject(error) : resolve()));
    });
    this.#syncing = synced.catch(() => undefined);
    return synced;
  }

  /** A running sync still needs the descriptor, which is closed afterwards. */
  close(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    this.#descriptor = undefined;
    if (this.#syncing === undefined) closeSync(descriptor);
    else void this.#syncing.then(() => closeSync(descriptor));
  }

  /** Text written to a removed file would be lost: later text goes to the file at the path. */
  #closeRemovedFile(): void {
    if (this.#descriptor === undefined) return;
    // The global clock would load a module of Node with the first line.
    const now = process.uptime() * 1000;
    if (now < this.#nextCheckAt) return;
    this.#nextCheckAt = now + CHECK_EVERY_MS;
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
    const descriptor = openRegularFile(this.#path, 'append');
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
    if (this.#unwrittenBytes + bytes.length > MAX_UNWRITTEN_BYTES) {
      throw new Error(`The log ${this.#path} cannot be written and too much is waiting for it`);
    }
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
  }
}
