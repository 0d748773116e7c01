import type { PackedBytes, PackedReader } from './packed-bytes.ts';

/*
 * Ids of blocks are long and mostly random, so what can be saved is in their alphabets: a UUID takes 16 bytes of its 36,
 * letters and digits six bits each. A general compressor saves little more and takes four times as long.
 *
 * An id is: which of the ids before it begins most alike and how many characters they share, then its rest in pieces.
 * A piece is its length and shape in one number, then its bytes.
 */

/** So many ids are remembered: those of one message differ in their ends only, those of one kind begin alike. */
const REMEMBERED = 8;

const PLAIN = 0;
const SIX_BITS = 1;
const UUID = 2;
/** A UUID behind which another piece follows. */
const UUID_AND_MORE = 3;

/** Writes ids one after the other. */
export class IdWriter {
  readonly #bytes: PackedBytes;
  readonly #before: string[] = Array.from({ length: REMEMBERED }, () => '');
  #count = 0;

  constructor(bytes: PackedBytes) {
    this.#bytes = bytes;
  }

  write(id: string): void {
    let [back, shared] = [0, 0];
    for (let each = 0; each < REMEMBERED; each++) {
      const alike = sharedStart(
        this.#before[(this.#count + REMEMBERED - each) % REMEMBERED] ?? '',
        id,
      );
      if (alike > shared) [back, shared] = [each, alike];
    }
    this.#bytes.number(shared * REMEMBERED + back);
    this.#rest(id, shared);
    this.#count = (this.#count + 1) % REMEMBERED;
    this.#before[this.#count] = id;
  }

  #rest(id: string, start: number): void {
    if (!isUuidAt(id, start)) {
      this.#piece(id, start);
      return;
    }
    const isMore = id.length > start + UUID_LENGTH;
    this.#bytes.number(isMore ? UUID_AND_MORE : UUID);
    this.#bytes.reserve(UUID_LENGTH);
    for (let at = start; at < start + UUID_LENGTH; at += 2) {
      if (id.charCodeAt(at) === DASH) at++;
      this.#bytes.byte((hexDigit(id.charCodeAt(at)) << 4) | hexDigit(id.charCodeAt(at + 1)));
    }
    if (isMore) this.#piece(id, start + UUID_LENGTH);
  }

  #piece(id: string, start: number): void {
    const length = id.length - start;
    let isShort = true;
    for (let at = start; at < id.length && isShort; at++) isShort = isSixBits(id.charCodeAt(at));
    this.#bytes.number(length * 4 + (isShort ? SIX_BITS : PLAIN));
    if (!isShort) {
      this.#bytes.text(id.slice(start));
      return;
    }
    this.#bytes.reserve(length);
    let [held, bits] = [0, 0];
    for (let at = start; at < id.length; at++) {
      held = (held << 6) | (CODES[id.charCodeAt(at)] ?? 0);
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      this.#bytes.byte((held >> bits) & 255);
    }
    if (bits > 0) this.#bytes.byte((held << (8 - bits)) & 255);
  }
}

/** Reads what `IdWriter` has written. */
export class IdReader {
  readonly #bytes: PackedReader;
  readonly #before: string[] = Array.from({ length: REMEMBERED }, () => '');
  #count = 0;

  constructor(bytes: PackedReader) {
    this.#bytes = bytes;
  }

  get current(): string {
    return this.#before[this.#count] ?? '';
  }

  next(): void {
    const head = this.#bytes.number();
    const like = (this.#count + REMEMBERED - (head % REMEMBERED)) % REMEMBERED;
    const start = (this.#before[like] ?? '').slice(0, Math.floor(head / REMEMBERED));
    const id = start + this.#pieces();
    this.#count = (this.#count + 1) % REMEMBERED;
    this.#before[this.#count] = id;
  }

  #pieces(): string {
    const piece = this.#bytes.number();
    const shape = piece % 4;
    if (shape === UUID) return this.#uuid();
    if (shape === UUID_AND_MORE) return this.#uuid() + this.#pieces();
    return shape === PLAIN ? this.#bytes.text() : this.#sixBits(Math.floor(piece / 4));
  }

  #uuid(): string {
    let text = '';
    for (let byte = 0; byte < 16; byte++) {
      if (byte === 4 || byte === 6 || byte === 8 || byte === 10) text += '-';
      text += HEX[this.#bytes.byte()];
    }
    return text;
  }

  #sixBits(length: number): string {
    let text = '';
    let [held, bits] = [0, 0];
    for (let count = 0; count < length; count++) {
      if (bits < 6) {
        held = (held << 8) | this.#bytes.byte();
        bits += 8;
      }
      bits -= 6;
      text += ALPHABET[(held >> bits) & 63];
    }
    return text;
  }
}

/** How many characters two ids begin with alike; none beyond ASCII, so that no character is divided. */
function sharedStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let shared = 0;
  for (; shared < most; shared++) {
    const code = one.charCodeAt(shared);
    if (code !== other.charCodeAt(shared) || code > 127) break;
  }
  return shared;
}

const UUID_LENGTH = 36;
const DASH = 45;

function isUuidAt(id: string, start: number): boolean {
  if (id.length < start + UUID_LENGTH) return false;
  for (let place = 0; place < UUID_LENGTH; place++) {
    const code = id.charCodeAt(start + place);
    const isDash = place === 8 || place === 13 || place === 18 || place === 23;
    if (isDash ? code !== DASH : hexDigit(code) < 0) return false;
  }
  return true;
}

/** The value of a digit in lower case, or -1. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** What ids of vendors are made of, and what joins them with the number of a part. */
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_:';
const CODES = new Int8Array(128).fill(-1);
for (const [value, letter] of [...ALPHABET].entries()) CODES[letter.charCodeAt(0)] = value;

function isSixBits(code: number): boolean {
  return code < 128 && (CODES[code] ?? -1) >= 0;
}
