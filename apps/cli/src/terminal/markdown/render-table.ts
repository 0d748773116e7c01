import type { Tokens } from 'marked';
import { lineWidth } from '../layout/fit-line.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import { renderInline } from './render-inline.ts';
import { type StyledLine, span, splitLines } from './styled-text.ts';

type Alignment = 'left' | 'center' | 'right';

/** Minimum column width. */
const MIN_COLUMN_WIDTH = 4;

/** A table in a frame that fits the terminal: cells wrap inside their columns, widths count cells of the screen. */
export function renderTable(table: Tokens.Table, columns: number): StyledLine[] {
  const header = table.header.map((cell) => splitLines(renderInline(cell.tokens, 'strong')));
  const rows = table.rows.map((row) => row.map((cell) => splitLines(renderInline(cell.tokens))));
  const wanted = header.map((_, column) =>
    Math.max(1, ...[header, ...rows].map((row) => widest(row[column] ?? []))),
  );
  // Each column has a border and two spaces, plus a closing border after the last one.
  const widths = shareOut(wanted, columns - 3 * wanted.length - 1);
  const alignments = table.align.map((align): Alignment => align ?? 'left');
  const draw = (row: readonly StyledLine[][]) => tableRow(row, { widths, alignments });
  return [
    edge('┌┬┐', widths),
    ...draw(header),
    edge('├┼┤', widths),
    ...rows.flatMap(draw),
    edge('└┴┘', widths),
  ];
}

function widest(lines: readonly StyledLine[]): number {
  return Math.max(0, ...lines.map(lineWidth));
}

/** Shrinks the widest columns until all fit; at minimum widths the table may still overflow. */
function shareOut(wanted: readonly number[], room: number): number[] {
  const widths = [...wanted];
  const total = () => widths.reduce((sum, width) => sum + width, 0);
  while (total() > room) {
    const broadest = Math.max(...widths);
    if (broadest <= MIN_COLUMN_WIDTH) break;
    const second = Math.max(MIN_COLUMN_WIDTH, ...widths.filter((width) => width < broadest));
    const broad = widths.filter((width) => width === broadest).length;
    const step = Math.max(1, Math.min(broadest - second, Math.ceil((total() - room) / broad)));
    for (const [column, width] of widths.entries()) {
      if (width === broadest && total() > room)
        widths[column] = Math.max(MIN_COLUMN_WIDTH, width - step);
    }
  }
  return widths;
}

function edge(signs: string, widths: readonly number[]): StyledLine {
  const [left = '', middle = '', right = ''] = signs;
  const parts = widths.map((width) => '─'.repeat(width + 2));
  return [span(`${left}${parts.join(middle)}${right}`, 'dim')];
}

interface TableShape {
  readonly widths: readonly number[];
  readonly alignments: readonly Alignment[];
}

function tableRow(
  cells: readonly (readonly StyledLine[])[],
  { widths, alignments }: TableShape,
): StyledLine[] {
  const wrapped = widths.map((width, column) => wrapLines(cells[column] ?? [], width));
  const height = Math.max(1, ...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, row): StyledLine => {
    const pieces = widths.flatMap((width, column): StyledLine => {
      const line = wrapped[column]?.[row] ?? [];
      return [span('│ ', 'dim'), ...aligned(line, width, alignments[column] ?? 'left'), span(' ')];
    });
    return [...pieces, span('│', 'dim')];
  });
}

function aligned(line: StyledLine, width: number, alignment: Alignment): StyledLine {
  const missing = Math.max(0, width - lineWidth(line));
  const before = { left: 0, center: Math.floor(missing / 2), right: missing }[alignment];
  return [span(' '.repeat(before)), ...line, span(' '.repeat(missing - before))];
}
