import { closeSync, fdatasync, fstatSync, openSync, readSync, writeSync } from 'node:fs';

const NEWLINE = 0x0a;

/** An open log, appended with write(2); a torn last line is closed before anything follows it. */
export class LogFile {
  readonly #path: string;
  #descriptor: number | undefined;
  #needsNewline = false;
  /** Never rejects: whoever asked for the sync hears of its failure. */
  #syncing: Promise<void> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  append(text: string): void {
    const descriptor = this.#descriptor ?? this.#open();
    const whole = this.#needsNewline ? `\n${text}` : text;
    // Until the last byte is out, whoever writes next must start on a fresh line.
    this.#needsNewline = true;
    const written = writeSync(descriptor, whole);
    if (written < Buffer.byteLength(whole)) writeRest(descriptor, whole, written);
    this.#needsNewline = false;
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

  #open(): number {
    const descriptor = openSync(this.#path, 'a+', 0o600);
    this.#descriptor = descriptor;
    const { size } = fstatSync(descriptor);
    if (size > 0) {
      const last = Buffer.alloc(1);
      readSync(descriptor, last, 0, 1, size - 1);
      this.#needsNewline = last[0] !== NEWLINE;
    }
    return descriptor;
  }
}

function writeRest(descriptor: number, text: string, from: number): void {
  const bytes = Buffer.from(text);
  let written = from;
  while (written < bytes.length) {
    written += writeSync(descriptor, bytes, written, bytes.length - written);
  }
}
