/** Length of an id: 10 letters of 5 bits, so that two of a million secrets of a session meet once in 2,000 sessions. */
const ID_LENGTH = 10;
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/**
 * Gives every secret a short id, the same for the same value and salt.
 * The ids stand in files that others read, so the hash is keyed: without the salt a guessed password cannot be checked against its id.
 */
export function createSecretIds(salt: string): (value: string) => string {
  const key = keyFromSalt(salt);
  return (value) => {
    const [high, low] = sipHash(key, value);
    let id = '';
    // 30 bits of the one half and 20 of the other.
    let bits = low;
    for (let letter = 0; letter < ID_LENGTH; letter++) {
      if (letter === 6) bits = high;
      id += LETTERS[bits & 31] ?? '';
      bits >>>= 5;
    }
    return id;
  };
}

export type SipKey = readonly [number, number, number, number];

/** A salt of any length becomes a key of 128 bits. */
function keyFromSalt(salt: string): SipKey {
  const [high, low] = sipHash([0x6f626f72, 0x6174, 0x6b6579, 0x31], salt);
  const [high2, low2] = sipHash([0x6f626f72, 0x6174, 0x6b6579, 0x32], salt);
  return [high, low, high2, low2];
}

/**
 * SipHash-2-4 of the text's UTF-16 code units (little endian), as [high, low] 32-bit halves.
 * Written here because what a browser offers is asynchronous and what Node offers is not in a browser; the words of 64 bits are pairs
 * of 32-bit numbers, since BigInt is a hundred times slower. The key is [k0 high, k0 low, k1 high, k1 low].
 */
export function sipHash(key: SipKey, text: string): readonly [number, number] {
  const state = begin(key);
  const whole = text.length - (text.length % 4);
  for (let at = 0; at < whole; at += 4) {
    compress(state, unitPair(text, at + 2), unitPair(text, at));
  }
  const lastHigh = ((text.length * 2) << 24) | (unitPair(text, whole + 2) & 0xffffff);
  compress(state, lastHigh, unitPair(text, whole));
  state[5] = word(state, 5) ^ 0xff;
  for (let round = 0; round < 4; round++) mix(state);
  return [
    (word(state, 0) ^ word(state, 2) ^ word(state, 4) ^ word(state, 6)) >>> 0,
    (word(state, 1) ^ word(state, 3) ^ word(state, 5) ^ word(state, 7)) >>> 0,
  ];
}

/** One state for all: nothing else runs while a hash is computed. */
const STATE = new Int32Array(8);
const CONSTANTS = Int32Array.of(
  ...[
    0x736f6d65, 0x70736575, 0x646f7261, 0x6e646f6d, 0x6c796765, 0x6e657261, 0x74656462, 0x79746573,
  ],
);

function begin(key: SipKey): Int32Array {
  for (let at = 0; at < 8; at++) STATE[at] = word(CONSTANTS, at) ^ (key[at & 3] ?? 0);
  return STATE;
}

/** Two code units as one word; past the end of the text they are 0. */
function unitPair(text: string, at: number): number {
  const low = at < text.length ? text.charCodeAt(at) : 0;
  const high = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
  return low | (high << 16);
}

function compress(state: Int32Array, high: number, low: number): void {
  state[6] = word(state, 6) ^ high;
  state[7] = word(state, 7) ^ low;
  mix(state);
  mix(state);
  state[0] = word(state, 0) ^ high;
  state[1] = word(state, 1) ^ low;
}

/** One round. Words are stored high half first: v0 at 0, v1 at 2, v2 at 4, v3 at 6. */
function mix(state: Int32Array): void {
  add(state, 0, 2);
  rotateXor(state, 2, 13, 0);
  swap(state, 0);
  add(state, 4, 6);
  rotateXor(state, 6, 16, 4);
  add(state, 0, 6);
  rotateXor(state, 6, 21, 0);
  add(state, 4, 2);
  rotateXor(state, 2, 17, 4);
  swap(state, 4);
}

function add(state: Int32Array, to: number, from: number): void {
  const low = (word(state, to + 1) >>> 0) + (word(state, from + 1) >>> 0);
  state[to + 1] = low;
  state[to] = word(state, to) + word(state, from) + (low > 0xffffffff ? 1 : 0);
}

/** Turns a word left by less than 32 bits and combines it with another. */
function rotateXor(state: Int32Array, at: number, bits: number, other: number): void {
  const high = word(state, at);
  const low = word(state, at + 1);
  state[at] = ((high << bits) | (low >>> (32 - bits))) ^ word(state, other);
  state[at + 1] = ((low << bits) | (high >>> (32 - bits))) ^ word(state, other + 1);
}

/** Turning by 32 bits exchanges the halves. */
function swap(state: Int32Array, at: number): void {
  const high = word(state, at);
  state[at] = word(state, at + 1);
  state[at + 1] = high;
}

/** The states above have eight words; an index outside of them does not occur. */
function word(state: Int32Array, at: number): number {
  return state[at] ?? 0;
}
