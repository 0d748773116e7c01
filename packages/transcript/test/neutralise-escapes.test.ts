import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neutraliseEscapes, neutraliseLine } from '../src/neutralise-escapes.ts';

describe('makes control and invisible characters visible', () => {
  it.each([
    ['the clipboard', '\u001b]52;c;cm0gLXJmIC8=\u0007', '␛]52;c;cm0gLXJmIC8=␇'],
    ['the title', '\u001b]0;you\u0007', '␛]0;you␇'],
    ['the screen', 'a\u001b[2Jb\u001b[H', 'a␛[2Jb␛[H'],
    ['one byte controls', '\u009b2J \u009d0;x\u009c', '\\u{9b}2J \\u{9d}0;x\\u{9c}'],
    ['a line drawn over another', 'rm -rf /\recho safe', 'rm -rf /␍echo safe'],
    ['backspaces', 'evil\b\b\b\bgood\u007f', 'evil␈␈␈␈good␡'],
    [
      'direction',
      'user\u202e\u2066// admin\u2069\u2066',
      'user\\u{202e}\\u{2066}// admin\\u{2069}\\u{2066}',
    ],
    ['marks of direction', 'a\u200eb\u200fc\u061c', 'a\\u{200e}b\\u{200f}c\\u{61c}'],
    ['hidden words', 'pass\u200bword\ufeff', 'pass\\u{200b}word\\u{feff}'],
    ['hidden joiners', 'adm\u200din', 'adm\\u{200d}in'],
    ['joiners of nothing', 'é\u200d\u200d \u3164\u200d', 'é\u200d\\u{200d} \\u{3164}\\u{200d}'],
    ['hidden letters', 'a\u{e0041}\u{e007f}', 'a\\u{e0041}\\u{e007f}'],
    ['half characters', 'a\ud83dz', 'a\\u{d83d}z'],
    [
      'hyperlinks',
      '\u001b]8;;http://evil\u001b\\bank\u001b]8;;\u001b\\',
      '␛]8;;http://evil␛\\bank␛]8;;␛\\',
    ],
  ])('%s', (_name, text, shown) => {
    expect(neutraliseEscapes(text)).toBe(shown);
  });
});

describe('keeps ordinary text', () => {
  it.each([
    'plain text, "quotes", <tags> & more',
    'lines\nand\ttabs\n',
    'Grüße, 你好, こんにちは, مرحبا, שלום, नमस्ते',
    'می\u200cخواهم',
    'क्\u200dष',
    '👩🏽\u200d🚀 👩\u200d👩\u200d👧 ❤\ufe0f\u200d🔥 🏳\ufe0f\u200d🌈',
    '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
    '€ – — … “quoted” ␛',
  ])('%s', (text) => {
    expect(neutraliseEscapes(text)).toBe(text);
  });

  it('converts CRLF to LF', () => {
    expect(neutraliseEscapes('a\r\nb\r\n')).toBe('a\nb\n');
  });
});

it('leaves no control characters except newlines and tabs in any text, and is idempotent', () => {
  const unit = fc.oneof(
    fc.constantFrom(
      '\u001b',
      '\u009b',
      '\r',
      '\n',
      '\t',
      '\u202e',
      '\u200d',
      '\u{e0061}',
      '\ud800',
    ),
    fc.string({ unit: 'binary', maxLength: 4 }),
  );
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const shown = neutraliseEscapes(units.join(''));

      // oxlint and biome forbid such characters in an expression, so they are looked for by code.
      const codes = [...shown].map((letter) => letter.codePointAt(0) ?? 0);
      expect(codes.filter((code) => code < 32 && code !== 10 && code !== 9)).toEqual([]);
      expect(codes.filter((code) => code >= 0x7f && code < 0xa0)).toEqual([]);
      expect(shown).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
      expect(neutraliseEscapes(shown)).toBe(shown);
    }),
    { numRuns: Number(process.env.ROBOTA_PROPERTY_RUNS ?? 1000) },
  );
});

it('converts a title to one line', () => {
  expect(neutraliseLine('a\n\tb\u001b[2J\r\nc')).toBe('a b␛[2J c');
});
