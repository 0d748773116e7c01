import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretIds, type SipKey, sipHash } from '../../../src/log/redact/secret-id.ts';

/** The key 00 01 02 … 0f of the published test vectors. */
const KEY: SipKey = [0x07060504, 0x03020100, 0x0f0e0d0c, 0x0b0a0908];

/** The text whose UTF-16 bytes are 00 01 02 … of the given even length. */
function bytesUpTo(length: number): string {
  return Array.from({ length: length / 2 }, (_, at) =>
    String.fromCharCode((2 * at) | ((2 * at + 1) << 8)),
  ).join('');
}

const hex = ([high, low]: readonly [number, number]) =>
  high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');

describe('the keyed hash', () => {
  it.each([
    [0, '726fdb47dd0e0e31'],
    [2, '0d6c8009d9a94f5a'],
    [4, 'cf2794e0277187b7'],
  ])('gives what is published for %i bytes', (length, expected) => {
    expect(hex(sipHash(KEY, bytesUpTo(length)))).toBe(expected);
  });

  it('is SipHash-2-4 for every key and text', () => {
    const part = fc.nat({ max: 0xffffffff });
    fc.assert(
      fc.property(fc.tuple(part, part, part, part), fc.string({ unit: 'binary' }), (key, text) => {
        expect(sipHash(key, text)).toEqual(referenceHash(key, text));
      }),
    );
  });
});

describe('ids of secrets', () => {
  it('are ten letters, the same for the same value and salt', () => {
    const ids = createSecretIds('salt');

    expect(ids('hunter2')).toMatch(/^[a-z0-9]{10}$/);
    expect(ids('hunter2')).toBe(createSecretIds('salt')('hunter2'));
  });

  it('differ with the value and with the salt', () => {
    const ids = createSecretIds('salt');
    const all = new Set(Array.from({ length: 20_000 }, (_, index) => ids(`secret ${index}`)));

    expect(all.size).toBe(20_000);
    expect(createSecretIds('other')('hunter2')).not.toBe(ids('hunter2'));
  });
});

/** The definition, word for word, with whole numbers of 64 bits. */
function referenceHash(key: SipKey, text: string): [number, number] {
  const wide = (high: number, low: number) => (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  const cut = (value: bigint) => BigInt.asUintN(64, value);
  const turn = (value: bigint, bits: bigint) => cut((value << bits) | (value >> (64n - bits)));
  const [k0, k1] = [wide(key[0], key[1]), wide(key[2], key[3])];
  let v0 = k0 ^ 0x736f6d6570736575n;
  let v1 = k1 ^ 0x646f72616e646f6dn;
  let v2 = k0 ^ 0x6c7967656e657261n;
  let v3 = k1 ^ 0x7465646279746573n;
  const round = () => {
    v0 = cut(v0 + v1);
    v1 = turn(v1, 13n) ^ v0;
    v0 = turn(v0, 32n);
    v2 = cut(v2 + v3);
    v3 = turn(v3, 16n) ^ v2;
    v0 = cut(v0 + v3);
    v3 = turn(v3, 21n) ^ v0;
    v2 = cut(v2 + v1);
    v1 = turn(v1, 17n) ^ v2;
    v2 = turn(v2, 32n);
  };
  const bytes = Buffer.from(text, 'utf16le');
  const padded = Buffer.alloc(Math.floor(bytes.length / 8) * 8 + 8);
  bytes.copy(padded);
  padded[padded.length - 1] = bytes.length & 0xff;
  for (let at = 0; at < padded.length; at += 8) {
    const word = padded.readBigUInt64LE(at);
    v3 ^= word;
    round();
    round();
    v0 ^= word;
  }
  v2 ^= 0xffn;
  for (let count = 0; count < 4; count++) round();
  const hash = v0 ^ v1 ^ v2 ^ v3;
  return [Number(hash >> 32n), Number(hash & 0xffffffffn)];
}
