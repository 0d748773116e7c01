import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

/** The segmenter takes quadratic time in the length of its text. */
const MAX_SEGMENTED = 512;

/** The characters of a text as people see them. */
export function* graphemes(text: string): Iterable<string> {
  // Created lazily: it loads Unicode tables that the first frame does not need.
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  for (let from = 0; from < text.length; ) {
    const piece = text.slice(from, from + MAX_SEGMENTED);
    const found = Array.from(segmenter.segment(piece), ({ segment }) => segment);
    // The last one may go on in the next piece.
    const isCut = from + piece.length < text.length && found.length > 1;
    const last = isCut ? (found.pop() ?? '') : '';
    yield* found;
    from += piece.length - last.length;
  }
}

/**
 * Characters that never combine with the next one: the common case, since loading the segmenter adds a tenth of a second
 * to start-up. One cell: ASCII, western and central European letters, dashes, quotes, the ellipsis, arrows, frames and our own
 * marks. Two: Chinese characters, kana, Korean syllables and their punctuation.
 */
const NARROW =
  '\\x20-\\x7e\\u00a1-\\u00ac\\u00ae-\\u024f\\u2010-\\u2027\\u2190-\\u2193\\u2500-\\u259f\\u25cf\\u25d0\\u273b\\u276f';
const WIDE =
  '\\u3001-\\u3020\\u3041-\\u3096\\u309b-\\u30ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7a3\\uff01-\\uff60';
const ONLY_NARROW = new RegExp(`^[${NARROW}]*$`);
const ONLY_PLAIN = new RegExp(`^[${NARROW}${WIDE}]*$`);
const EACH_WIDE = new RegExp(`[${WIDE}]`, 'g');

/** Drawn for a tab: the width of a real one depends on its column. */
export const TAB = '    ';

/** Width of a text in terminal cells: two for most CJK characters and emoji, none for control characters, which are not drawn. */
export function cellWidth(text: string): number {
  if (ONLY_NARROW.test(text)) return text.length;
  if (text.includes('\t')) return cellWidth(text.replaceAll('\t', TAB));
  if (ONLY_PLAIN.test(text)) return text.length + (text.match(EACH_WIDE)?.length ?? 0);
  if (text.length <= MAX_SEGMENTED && !startsSequence(text)) return stringWidth(text);
  let width = 0;
  for (const grapheme of graphemes(text)) width += stringWidth(grapheme);
  return width;
}

/** The library takes what follows these for invisible. */
function startsSequence(text: string): boolean {
  return text.includes('\u001b') || text.includes('\u009b');
}

/** The graphemes of a text with their widths. */
export function* cells(text: string): Iterable<{ readonly text: string; readonly width: number }> {
  if (ONLY_PLAIN.test(text)) {
    for (const character of text) yield { text: character, width: cellWidth(character) };
    return;
  }
  for (const grapheme of graphemes(text)) yield { text: grapheme, width: cellWidth(grapheme) };
}

/** The text cut to at most `width` cells, with an ellipsis if something is missing. */
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
