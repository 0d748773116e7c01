import type { Tokens } from 'marked';
import stringWidth from 'string-width';
import { renderInline } from './render-inline.ts';
import { type Span, type StyledLine, span } from './styled-text.ts';

/** Columns as wide as their widest cell, in terminal cells: a Hangul syllable takes two. */
export function renderTable(table: Tokens.Table): StyledLine[] {
  const header = table.header.map((cell) => renderInline(cell.tokens, 'strong'));
  const rows = table.rows.map((row) => row.map((cell) => renderInline(cell.tokens)));
  const widths = header.map((cell, column) =>
    Math.max(widthOf(cell), ...rows.map((row) => widthOf(row[column] ?? []))),
  );
  const rule = widths.map((width) => '─'.repeat(width)).join('─┼─');
  return [
    renderRow(header, widths),
    [span(rule, 'dim')],
    ...rows.map((row) => renderRow(row, widths)),
  ];
}

function renderRow(cells: readonly (readonly Span[])[], widths: readonly number[]): StyledLine {
  return widths.flatMap((width, column) => {
    const cell = cells[column] ?? [];
    const padding = span(' '.repeat(width - widthOf(cell)));
    return column === 0 ? [...cell, padding] : [span(' │ ', 'dim'), ...cell, padding];
  });
}

function widthOf(spans: readonly Span[]): number {
  return spans.reduce((width, { text }) => width + stringWidth(text), 0);
}
