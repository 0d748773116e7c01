/** The meaning of a piece of text; the palette maps it to colours. */
export type TextStyle =
  | 'plain'
  | 'strong'
  | 'emphasis'
  | 'struck'
  | 'heading'
  | 'code'
  | 'link'
  | 'quote'
  | 'dim'
  | 'keyword'
  | 'string'
  | 'number'
  | 'comment'
  | 'name'
  | 'added'
  | 'removed'
  | 'user'
  | 'success'
  | 'failure'
  | 'warning'
  | 'accent';

/** A coloured background across the full width. */
export type SpanBand = 'prompt' | 'added' | 'removed' | 'chosen';

export interface Span {
  readonly text: string;
  readonly style: TextStyle;
  readonly band?: SpanBand;
}

export type StyledLine = readonly Span[];

export function span(text: string, style: TextStyle = 'plain'): Span {
  return { text, style };
}

/** Cuts spans at newlines into lines. */
export function splitLines(spans: readonly Span[]): StyledLine[] {
  const lines: Span[][] = [[]];
  for (const { text, style } of spans) {
    for (const [index, piece] of text.split('\n').entries()) {
      if (index > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, style });
    }
  }
  return lines;
}

export function plainText(lines: readonly StyledLine[]): string {
  return lines.map((line) => line.map(({ text }) => text).join('')).join('\n');
}
