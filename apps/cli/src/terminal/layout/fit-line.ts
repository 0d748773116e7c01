import type { Span, SpanBand, StyledLine } from '../markdown/styled-text.ts';
import { cells, cellWidth } from './cell-width.ts';

export function lineWidth(line: StyledLine): number {
  return line.reduce((sum, { text }) => sum + cellWidth(text), 0);
}

/** The line cut to at most `columns` cells, with an ellipsis if something is missing. */
export function cutLine(line: StyledLine, columns: number): StyledLine {
  if (lineWidth(line) <= columns) return line;
  const kept: Span[] = [];
  let room = columns - 1;
  for (const piece of line) {
    const text = leadingCells(piece.text, room);
    if (text !== '') kept.push({ ...piece, text });
    room -= cellWidth(text);
    if (text !== piece.text) break;
  }
  return columns < 1 ? [] : [...kept, { text: '…', style: 'dim' }];
}

function leadingCells(text: string, room: number): string {
  let kept = '';
  let used = 0;
  for (const cell of cells(text)) {
    if (used + cell.width > room) break;
    kept += cell.text;
    used += cell.width;
  }
  return kept;
}

/** Left- and right-aligned parts on one line; the left one is cut if they do not fit. */
export function spreadLine(left: StyledLine, right: StyledLine, columns: number): StyledLine {
  const rightWidth = lineWidth(right);
  if (rightWidth === 0) return cutLine(left, columns);
  const fitting = cutLine(left, Math.max(0, columns - rightWidth - 1));
  const gap = Math.max(1, columns - lineWidth(fitting) - rightWidth);
  return cutLine([...fitting, { text: ' '.repeat(gap), style: 'plain' }, ...right], columns);
}

export function paddedLine(line: StyledLine, columns: number): StyledLine {
  const missing = columns - lineWidth(line);
  return missing <= 0 ? line : [...line, { text: ' '.repeat(missing), style: 'plain' }];
}

/** The line on a full-width band. */
export function bandedLine(line: StyledLine, band: SpanBand, columns: number): StyledLine {
  return paddedLine(line, columns).map((piece) => ({ ...piece, band }));
}
