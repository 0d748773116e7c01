import stringWidth from 'string-width';

let segmenter: Intl.Segmenter | undefined;

/** Made when first needed: it loads tables that the first picture does without. */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return segmenter.segment(text);
}

/** Printable ASCII: one cell each, the common case. */
const ASCII = /^[\x20-\x7e]*$/;

/** How many cells of the terminal a text takes: two for most of CJK and emoji. */
export function cellWidth(text: string): number {
  return ASCII.test(text) ? text.length : stringWidth(text);
}

/** The text cut into what a person sees as one character, with the cells each takes. */
export function* cells(text: string): Iterable<{ readonly text: string; readonly width: number }> {
  if (ASCII.test(text)) {
    for (const character of text) yield { text: character, width: 1 };
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
