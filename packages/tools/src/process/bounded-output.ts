import { truncationNote } from '../bounded-text.ts';

/** Keeps the first and last bytes of a stream of any length; memory stays near the limit. */
export class BoundedOutput {
  readonly #half: number;
  readonly #head: Buffer[] = [];
  #headBytes = 0;
  #tail: Buffer[] = [];
  #tailBytes = 0;
  #total = 0;

  constructor(limitBytes: number) {
    this.#half = Math.floor(limitBytes / 2);
  }

  push(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#half - this.#headBytes;
    const forHead = chunk.subarray(0, room);
    if (forHead.length > 0) {
      this.#head.push(Buffer.from(forHead));
      this.#headBytes += forHead.length;
    }
    if (chunk.length > room) this.#pushTail(chunk.subarray(Math.max(room, 0)));
  }

  get droppedBytes(): number {
    return this.#total - this.#headBytes - Math.min(this.#tailBytes, this.#half);
  }

  toString(): string {
    const tail = Buffer.concat(this.#tail);
    if (this.droppedBytes === 0) return Buffer.concat([...this.#head, tail]).toString('utf8');
    const head = trimEnd(Buffer.concat(this.#head)).toString('utf8');
    const kept = trimStart(tail.subarray(tail.length - this.#half)).toString('utf8');
    return `${head}${truncationNote(this.#total, this.#half, 'bytes')}${kept}`;
  }

  #pushTail(chunk: Buffer): void {
    this.#tail.push(Buffer.from(chunk.subarray(-this.#half)));
    this.#tailBytes += Math.min(chunk.length, this.#half);
    // Compacting only at twice the room keeps the cost linear in the input.
    if (this.#tailBytes <= 2 * this.#half) return;
    this.#tail = [Buffer.concat(this.#tail).subarray(-this.#half)];
    this.#tailBytes = this.#half;
  }
}

/** Drops an incomplete UTF-8 character at the end. */
function trimEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(4, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    return bytes.subarray(0, back < sequenceLength(byte) ? bytes.length - back : bytes.length);
  }
  return bytes;
}

/** Drops the rest of a UTF-8 character at the start. */
function trimStart(bytes: Buffer): Buffer {
  let start = 0;
  while (start < 3 && start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
  return bytes.subarray(start);
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
