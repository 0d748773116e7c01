/** Keeps the start of a byte stream and counts the dropped rest, so that output cannot exhaust memory. */
export class BoundedText {
  readonly #chunks: Buffer[] = [];
  readonly #limit: number;
  #kept = 0;
  #dropped = 0;

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  add(chunk: Uint8Array): void {
    const room = Math.min(chunk.length, this.#limit - this.#kept);
    if (room > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    this.#kept += room;
    this.#dropped += chunk.length - room;
  }

  toString(): string {
    const text = Buffer.concat(this.#chunks).toString('utf8');
    return this.#dropped === 0 ? text : `${text}\n[${this.#dropped} more bytes dropped]`;
  }
}
