import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/log/redact/redactor.ts';
import { HOSTILE } from './hostile-units.ts';
import { createFill, leaks, plant, SECRET_KINDS } from './secret-kinds.ts';

const redactor = createRedactor({ salt: 'pepper' });
const kinds = Object.values(SECRET_KINDS);
const MOST_HELD = 4_096;

/** What a stream gives for the pieces, put together, and the most it held back on the way. */
function stream(pieces: readonly string[]): { readonly text: string; readonly held: number } {
  const redaction = redactor.createStream();
  let text = '';
  let held = 0;
  for (const piece of pieces) {
    text += redaction.push(piece);
    held = Math.max(held, redaction.held);
  }
  return { text: text + redaction.flush(), held };
}

/** Cuts a text into pieces whose lengths repeat. */
function cut(text: string, lengths: readonly number[]): string[] {
  const pieces: string[] = [];
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    pieces.push(text.slice(at, at + length));
    at += length;
  }
  return pieces;
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });

/** Fragments that begin something, end it, or stand in between. */
const fragment = fc.oneof(
  { weight: 4, arbitrary: secret() },
  { weight: 2, arbitrary: fc.string({ maxLength: 30 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['password', 'token=', '"secret": "', "api_key: '", 'Cookie: a=', 'Bearer ', 'sk-', '://'],
      ...[
        'eyJ',
        '-----BEGIN ',
        'PRIVATE KEY-----\n',
        '-----END',
        ' -p',
        '-u a:',
        '--token ',
        'AKIA',
      ],
      ...[
        '\\n',
        '\\',
        '\\\\"',
        '"',
        "'",
        '`',
        '\n',
        ' ',
        '=',
        ':',
        '.',
        '@',
        '/',
        ', ',
        '[',
        ']',
        '$',
      ],
      ...['x', 'sk', '-ant-', 'github', '_pat_', 'xo', 'xb-', 'KEY_', 'ghp_'],
      ...['a1B2'.repeat(10), 'words of prose ', '1234567890', '[REDACTED:api-key:abcdefghij]', 'é'],
    ),
  },
);

function secret(): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat({ max: kinds.length - 1 }), fc.nat({ max: 1000 }), fc.nat({ max: 2 }))
    .map(([kind, seed, depth]) => {
      let { text } = plant(kinds[kind] ?? '', createFill(seed));
      for (let level = 0; level < depth; level++) text = JSON.stringify(text);
      return text;
    });
}

describe('a text in pieces', () => {
  it('becomes what the whole text becomes, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(fragment, { maxLength: 12 }), lengths, (fragments, sizes) => {
        const text = fragments.join('');

        const { text: clean, held } = stream(cut(text, sizes));

        expect(clean).toBe(redactor.redactText(text));
        expect(held).toBeLessThanOrEqual(MOST_HELD);
      }),
      { numRuns: Number(process.env.ROBOTA_PROPERTY_RUNS ?? 1000) },
    );
  });

  it.each(Object.keys(SECRET_KINDS))('never shows a secret of the kind %s', (kind) => {
    const { text, parts } = plant(SECRET_KINDS[kind] ?? '', createFill(4711));
    const lines = `first line\n${text}\nlast line`;

    for (const size of [1, 2, 3, 5, 7, 11, 64]) {
      const { text: clean } = stream(cut(lines, [size]));

      expect(leaks(clean, parts)).toEqual([]);
      expect(clean).toBe(redactor.redactText(lines));
    }
  });

  it.each([
    ['a key without end', (body: string) => `sk-ant-${body}`],
    ['a quoted value', (body: string) => `{"password":"${body}","user":"me"}`],
    ['an environment value', (body: string) => `TOKEN=${body} next`],
    ['a cookie', (body: string) => `Cookie: a=${body}\nHost: x`],
    ['a token', (body: string) => `eyJhbGciOiJIUzI1NiJ9.eyJ${body}.sig12345 next`],
    [
      'a private key',
      (body: string) =>
        `-----BEGIN PRIVATE KEY-----\n${body.replace(/.{64}/g, '$&\n')}\n-----END PRIVATE KEY-----\nnext`,
    ],
  ])('holds back at most 4,096 characters of %s that is longer', (_name, shape) => {
    const body = createFill(5)(20_000);
    const text = shape(body);

    for (const sizes of [[1], [7, 300], [5_000], [100_000]]) {
      const { text: clean, held } = stream(cut(text, sizes));

      expect(clean).toBe(redactor.redactText(text));
      expect(leaks(clean, [body.slice(0, 200), body.slice(9_900, 10_100)])).toEqual([]);
      expect(held).toBeLessThanOrEqual(MOST_HELD);
    }
  });

  it.each([...HOSTILE, '"token":'])('holds back at most 4,096 characters of %j', (unit) => {
    for (const text of [
      unit.repeat(2_000),
      unit + '\\'.repeat(10_000),
      unit + ' '.repeat(10_000),
    ]) {
      const { text: clean, held } = stream(cut(text, [11]));

      expect(clean).toBe(redactor.redactText(text));
      expect(held).toBeLessThanOrEqual(MOST_HELD);
    }
  });

  it('passes prose on almost at once', () => {
    const prose =
      'Some passages about basic things: the author kept a cookie, and a key for Monday. ';
    const redaction = redactor.createStream();
    const held = [...prose.repeat(5)].map((letter) => {
      redaction.push(letter);
      return redaction.held;
    });

    expect(held.toSorted((left, right) => left - right)[held.length >> 1]).toBeLessThanOrEqual(1);
    expect(Math.max(...held)).toBeLessThanOrEqual(16);
  });

  it('holds back no word that ends like the beginning of a key', () => {
    const redaction = redactor.createStream();

    for (const piece of ['the classes', ' on a desk', ' of task', ' axo', ' mygithub']) {
      expect([redaction.push(piece), redaction.held]).toEqual([piece, 0]);
    }
    expect(redaction.push('_pat') + redaction.push('_')).toBe('');
    expect(redaction.push('a1B2'.repeat(20)) + redaction.flush()).toMatch(/^\[REDACTED:[^\]]+\]$/);
  });

  it('says whether something is held back', () => {
    const redaction = redactor.createStream();

    expect([redaction.push('key sk-ant-'), redaction.held]).toEqual(['key ', 7]);
    expect([redaction.push('or'), redaction.held]).toEqual(['', 9]);
    expect([redaction.push(' not;'), redaction.held]).toEqual(['sk-ant-or not;', 0]);
  });

  it('begins anew after a flush', () => {
    const redaction = redactor.createStream();

    expect(redaction.push('sk-') + redaction.flush()).toBe('sk-');
    expect(redaction.push(`ant-${'a1B2'.repeat(12)}`) + redaction.flush()).toBe(
      `ant-${'a1B2'.repeat(12)}`,
    );
  });

  it.each([
    ['words', 'some words of prose '],
    ['backslashes', `"password": "${'\\'.repeat(190)}" `],
    ['beginnings of tokens', `eyJ${'a'.repeat(2_000)} `],
    ['a long secret', `sk-${'a1B2'.repeat(500)}`],
    ['addresses', `https://${'u'.repeat(500)} `],
    ['headers of keys', '-----BEGIN PRIVATE KEY-----\n '],
  ])('looks at no character often: %s', (_name, unit) => {
    const text = unit.repeat(Math.ceil(4_000 / unit.length));
    const reads = readsOf(text);

    expect(reads).toBeLessThan(text.length * 24);
    expect(readsOf(text + text)).toBeLessThan(reads * 2.1);
  });
});

/** How many characters a stream of single letters gives its scanner to look at. */
function readsOf(text: string): number {
  const redaction = redactor.createStream();
  for (const letter of text) redaction.push(letter);
  redaction.flush();
  return redaction.scanned;
}
