import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

/** Made when first needed: it loads tables that the first picture does without. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/**
 * Characters that stand alone, whatever follows them: the common case, and the other way costs a start a tenth of a
 * second. One cell: ASCII, the letters of western and central Europe, dashes, quotes, the ellipsis. Two: Chinese
 * characters, kana, Korean syllables and their punctuation.
 */
const NARROW = '\\x20-\\x7e\\u00a1-\\u00ac\\u00ae-\\u024f\\u2010-\\u2027';
const WIDE =
  '\\u3001-\\u3020\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const ONLY_NARROW = new RegExp(`^[${NARROW}]*$`);
const ONLY_PLAIN = new RegExp(`^[${NARROW}${WIDE}]*$`);
const EACH_WIDE = new RegExp(`[${WIDE}]`, 'g');

/** How many cells of the terminal a text takes: two for most of CJK and emoji. */
export function cellWidth(text: string): number {
  if (ONLY_NARROW.test(text)) return text.length;
  if (ONLY_PLAIN.test(text)) return text.length + (text.match(EACH_WIDE)?.length ?? 0);
  return stringWidth(text);
}

/** The text cut into what a person sees as one character, with the cells each takes. */
export function* cells(text: string): Iterable<{ readonly text: string; readonly width: number }> {
  if (ONLY_PLAIN.test(text)) {
    for (const character of text) yield { text: character, width: cellWidth(character) };
    return;
  }
  for (const { segment } of graphemes(text)) yield { text: segment, width: stringWidth(segment) };
}

/** The text cut to at most `width` cells, with an ellipsis where something is missing. */
export function truncateCells(text: string, width: number): string {
  if (cellWidth(text) <= width) return text;
  let kept = '';
  let used = 0;
  for (const cell of cells(text)) {
    if (used + cell.width > width - 1) break;
    kept += cell.text;
    used += cell.width;
  }
  return `${kept}…`;
}
