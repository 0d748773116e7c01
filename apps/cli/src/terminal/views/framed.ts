import { cutLine, lineWidth, paddedLine } from '../layout/fit-line.ts';
import { type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';

export interface FrameText {
  readonly title: StyledLine;
  /** At the right end of the upper edge. */
  readonly corner: StyledLine;
  /** At the right end of the lower edge. */
  readonly hint: string;
  readonly style: TextStyle;
}

/** Columns that a frame takes from its rows. */
export const FRAME_WIDTH = 5;

/** Draws a frame as wide as the terminal around the rows. */
export function framed(
  rows: readonly StyledLine[],
  { title, corner, hint, style }: FrameText,
  columns: number,
): StyledLine[] {
  const inner = columns - FRAME_WIDTH;
  const shownTitle = cutLine(title, Math.max(1, inner - lineWidth(corner) - 4));
  const right: StyledLine = lineWidth(corner) === 0 ? [] : [span(' '), ...corner, span(' ')];
  const used = lineWidth(shownTitle) + lineWidth(right);
  const below = cutLine([span(hint, style)], Math.max(1, inner - 2));
  return [
    [
      span('╭─ ', style),
      ...shownTitle,
      span(` ${'─'.repeat(Math.max(0, columns - used - 6))}`, style),
      ...right,
      span('─╮', style),
    ],
    ...rows.map((row) => [
      span('│  ', style),
      ...paddedLine(cutLine(row, inner), inner),
      span(' │', style),
    ]),
    [
      span(`╰${'─'.repeat(Math.max(0, columns - lineWidth(below) - 5))} `, style),
      ...below,
      span(' ─╯', style),
    ],
  ];
}
