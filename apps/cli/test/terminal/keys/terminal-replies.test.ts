import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type InputPart, ReplyFilter } from '../../../src/terminal/keys/terminal-replies.ts';

const DRAWN = '\u001b[0n';
const WHITE = '\u001b]11;rgb:ffff/ffff/ffff\u0007';

const shown = (parts: readonly InputPart[]) =>
  parts.map((part) => (part.kind === 'keys' ? part.bytes.toString('utf8') : part.reply));

const taken = (...chunks: readonly string[]) => {
  const filter = new ReplyFilter();
  return [...chunks.flatMap((chunk) => filter.take(Buffer.from(chunk))), ...filter.release()];
};

describe('what comes in from a terminal', () => {
  it('keeps keys and answers apart, in their order', () => {
    expect(shown(taken(`1\r${DRAWN}2${WHITE}한`))).toEqual([
      '1\r',
      { kind: 'drawn' },
      '2',
      { kind: 'background', red: 1, green: 1, blue: 1 },
      '한',
    ]);
  });

  it.each([
    ['an arrow', '\u001b[A'],
    ['a lone Escape', '\u001b'],
    ['the beginning of a sequence', '\u001b['],
    ['a paste', '\u001b[200~text\u001b[201~'],
    ['alt and a letter', '\u001bb'],
  ])('passes %s on', (_, keys) => {
    expect(shown(taken(keys)).join('')).toBe(keys);
  });

  it('reads both endings and both lengths of a colour', () => {
    expect(shown(taken('\u001b]11;rgb:00/80/ff\u001b\\'))).toEqual([
      { kind: 'background', red: 0, green: 128 / 255, blue: 1 },
    ]);
  });

  it('finds an answer wherever it is cut in two', () => {
    const text = `ab${WHITE}cd${DRAWN}ef`;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (at) => {
        const parts = taken(text.slice(0, at), text.slice(at));

        expect(parts.filter(({ kind }) => kind === 'reply')).toHaveLength(2);
        expect(
          parts.flatMap((part) => (part.kind === 'keys' ? part.bytes.toString() : [])).join(''),
        ).toBe('abcdef');
      }),
    );
  });
});
