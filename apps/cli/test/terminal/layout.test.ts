import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { cellWidth, graphemes, truncateCells } from '../../src/terminal/layout/cell-width.ts';
import { layoutEditor } from '../../src/terminal/layout/layout-editor.ts';
import { wrapLines } from '../../src/terminal/layout/wrap-lines.ts';
import { plainText, span } from '../../src/terminal/markdown/styled-text.ts';
import { paintLine } from '../../src/terminal/output/paint.ts';
import { PLAIN_THEME } from '../../src/terminal/output/theme.ts';

describe('wrapLines', () => {
  it.each([
    ['breaks between words', 'one two three', 8, 'one two \nthree'],
    ['breaks inside a word that is too long', 'abcdefgh', 3, 'abc\ndef\ngh'],
    ['counts wide characters as two cells', '한글입니다', 4, '한글\n입니\n다'],
    ['never splits an emoji', '👨‍👩‍👧👨‍👩‍👧', 3, '👨‍👩‍👧\n👨‍👩‍👧'],
    ['leaves short lines alone', 'short', 80, 'short'],
    ['goes on under the words behind a mark', '● one two three', 9, '● one two\n  three'],
    ['goes on under the words of a list', '• one two', 7, '• one \n  two'],
    ['keeps empty lines', '', 10, ''],
  ])('%s', (_, text, columns, expected) => {
    expect(plainText(wrapLines([[span(text)]], columns))).toBe(expected);
  });

  it('keeps styles across a break', () => {
    expect(wrapLines([[span('aa ', 'strong'), span('bb cc', 'code')]], 5)).toEqual([
      [span('aa ', 'strong'), span('bb', 'code')],
      [span('cc', 'code')],
    ]);
  });
});

describe('layoutEditor', () => {
  it.each([
    ['at the end of the text', 'abc', 3, 10, { x: 3, y: 0 }],
    ['in the second line', 'ab\ncd', 4, 10, { x: 1, y: 1 }],
    ['behind wide characters', '한글', 2, 10, { x: 4, y: 0 }],
    ['on a new row when the last one is full', 'abcd', 4, 4, { x: 0, y: 1 }],
    ['in a wrapped row', 'abcdef', 5, 4, { x: 1, y: 1 }],
    ['behind a trailing newline', 'a\n', 2, 10, { x: 0, y: 1 }],
    ['behind a tab, which is drawn as four spaces', 'a\tb', 3, 10, { x: 6, y: 0 }],
    ['in an empty prompt', '', 0, 10, { x: 0, y: 0 }],
  ])('puts the cursor %s', (_, text, cursor, columns, expected) => {
    expect(layoutEditor({ text, cursor, pastes: [] }, columns).cursor).toEqual(expected);
  });
});

it('cuts text by cells and says so', () => {
  expect([
    truncateCells('abcdef', 4),
    truncateCells('한글입니다', 5),
    truncateCells('ok', 4),
  ]).toEqual(['abc…', '한글…', 'ok']);
});

it('counts the cells of every character of the common scripts as the long way does', () => {
  const everyCode = Array.from({ length: 0xd7ff }, (_, code) => code);
  const codes = everyCode.filter((code) => code < 0x3400 || code % 64 === 0 || code > 0xd780);
  codes.push(...Array.from({ length: 0x100 }, (_, code) => 0xff00 + code));
  const wrong = codes.filter((code) => {
    const character = String.fromCharCode(code);
    // Control characters are not drawn; what follows them is.
    const drawn = `a${character}b`.replace('\t', '    ').replaceAll(/\p{Cc}/gu, '');
    return cellWidth(`a${character}b`) !== stringWidth(drawn);
  });

  expect(wrong).toEqual([]);
});

describe('graphemes', () => {
  it('are whole wherever a long text is cut for the segmenter', () => {
    for (const grapheme of ['👨‍👩‍👧‍👦', '🇩🇪', 'é', 'क्षि', '각', 'a\u0301']) {
      const text = grapheme.repeat(1_000);

      expect([...graphemes(text)]).toEqual(Array.from({ length: 1_000 }, () => grapheme));
      expect(cellWidth(text)).toBe(1_000 * stringWidth(grapheme));
    }
  });

  it('of which one has no end do not stop', () => {
    expect([...graphemes(`a${'\u0301'.repeat(5_000)}`)].join('')).toHaveLength(5_001);
  });
});

it('counts exactly the cells that are painted of control sequences', () => {
  const text = 'a\u001b[31mred\u001b[0m\u0007\u202eb 日本 \u001b]0;x\u0007';
  const painted = paintLine([span(text)], PLAIN_THEME);

  expect(cellWidth(text)).toBe(stringWidth(painted));
});
