import { stripVTControlCharacters } from 'node:util';
import { wrapLines } from '../layout/wrap-lines.ts';
import { type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';
import { counted } from './format.ts';

/** Lines of output before the rest is only counted. */
const FOLDED_LINES = 3;
/** Rows of it, however long its lines are. */
const FOLDED_ROWS = 6;

const GUTTER = '  │ ';

interface OutputView {
  readonly columns: number;
  readonly isUnfolded: boolean;
  readonly style: TextStyle;
}

/** Output behind its gutter; folded, its first lines and how many more there are. */
export function foldedOutput(
  text: string,
  { columns, isUnfolded, style }: OutputView,
): StyledLine[] {
  const lines = withoutControl(text).trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const isLong = !isUnfolded && lines.length > FOLDED_LINES + 1;
  const shown = isLong ? lines.slice(0, FOLDED_LINES) : lines;
  // Of a line that fills the window many times over, only the part in sight is laid out.
  const most = isUnfolded ? Number.POSITIVE_INFINITY : columns * (FOLDED_ROWS + 2);
  const wrapped = shown.map((line) =>
    wrapLines([[span(line.slice(0, most), style)]], columns - GUTTER.length),
  );
  const rows = wrapped.flat();
  const isFolded = isLong || (!isUnfolded && rows.length > FOLDED_ROWS + 1);
  if (!isFolded) return rows.map(inGutter);
  const whole = wholeLines(wrapped);
  return [...rows.slice(0, FOLDED_ROWS).map(inGutter), moreLine(lines.length - whole)];
}

/** How many lines stand in the rows that are shown, from their beginning to their end. */
function wholeLines(wrapped: readonly (readonly StyledLine[])[]): number {
  let rows = 0;
  const cut = wrapped.findIndex((line) => {
    rows += line.length;
    return rows > FOLDED_ROWS;
  });
  return cut === -1 ? wrapped.length : cut;
}

/** The last lines of what is still being printed. */
export function outputTail(
  tail: { readonly lines: readonly string[]; readonly above: number },
  columns: number,
): StyledLine[] {
  const lines = withoutControl(tail.lines.join('\n')).trimEnd().split('\n');
  const shown = lines.slice(-TAIL_ROWS);
  const above = tail.above + lines.length - shown.length;
  const rows = shown.flatMap((line) =>
    wrapLines([[span(line)]], columns - GUTTER.length).slice(0, 1),
  );
  const more: StyledLine[] =
    above > 0 ? [[span(`${counted(above, 'line')} above · ctrl+o`, 'dim')]] : [];
  return [...more, ...rows].map(inGutter);
}

/** Lines shown of a command that runs. */
const TAIL_ROWS = 3;

function moreLine(count: number): StyledLine {
  return inGutter([span(`${counted(count, 'more line')} · ctrl+o`, 'dim')]);
}

function inGutter(line: StyledLine): StyledLine {
  return [span(GUTTER, 'dim'), ...line];
}

/** What a program printed must not move our cursor or change our colours. */
export function withoutControl(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\t', '    ')
    .replaceAll(/\r(?=\n|$)/g, '')
    .replaceAll(/[^\n\P{Cc}]/gu, '');
}
