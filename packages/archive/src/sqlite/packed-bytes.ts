/** Bytes that are written one after the other. All writers share one buffer, so only one may be in use at a time. */
export class PackedBytes {
  #length = 0;

  /** Room for so many bytes more, which is to be asked for before `byte`. */
  reserve(count: number): void {
    const wanted = this.#length + count;
    if (wanted > shared.length) shared = Buffer.concat([shared], wanted * 2);
  }

  byte(value: number): void {
    shared[this.#length++] = value;
  }

  /** A number from 0 on, seven bits to a byte. */
  number(value: number): void {
    this.reserve(LONGEST_NUMBER);
    let rest = value;
    while (rest > 127) {
      shared[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    shared[this.#length++] = rest;
  }

  signed(value: number): void {
    this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  text(text: string): void {
    this.number(Buffer.byteLength(text));
    this.reserve(text.length * 3);
    this.#length += shared.write(text, this.#length);
  }

  copy(): Uint8Array {
    return Uint8Array.prototype.slice.call(shared, 0, this.#length);
  }
}

/** Bytes of the longest number that a JavaScript number can hold exactly, with its sign. */
const LONGEST_NUMBER = 8;

let shared = Buffer.allocUnsafeSlow(16_384);

/** Reads what `PackedBytes` has written, in the same order. */
export class PackedReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    return this.#bytes[this.#at++] ?? 0;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  text(): string {
    const length = this.number();
    this.#at += length;
    return this.#bytes.toString('utf8', this.#at - length, this.#at);
  }
}
