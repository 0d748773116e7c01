import { stripVTControlCharacters } from 'node:util';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript';
import { TAB } from '../layout/cell-width.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import { type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';
import { counted } from './format.ts';

/** Lines of output shown; the rest is only counted. */
const FOLDED_LINES = 3;
/** Maximum rows of folded output, however long its lines are. */
const FOLDED_ROWS = 6;

const GUTTER = '  │ ';

interface OutputView {
  readonly columns: number;
  readonly isUnfolded: boolean;
  readonly style: TextStyle;
}

/** Output with a gutter; folded, its first lines and the count of the others. */
export function foldedOutput(
  text: string,
  { columns, isUnfolded, style }: OutputView,
): StyledLine[] {
  const lines = withoutControl(text).trimEnd().split('\n');
  if (lines.length === 1 && lines[0] === '') return [];
  const isLong = !isUnfolded && lines.length > FOLDED_LINES + 1;
  const shown = isLong ? lines.slice(0, FOLDED_LINES) : lines;
  // Only the visible part of a very long line is laid out.
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

/** Number of lines that are shown completely. */
function wholeLines(wrapped: readonly (readonly StyledLine[])[]): number {
  let rows = 0;
  const cut = wrapped.findIndex((line) => {
    rows += line.length;
    return rows > FOLDED_ROWS;
  });
  return cut === -1 ? wrapped.length : cut;
}

/** The last lines of output that is still arriving. */
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

/** Lines shown of a running command's output. */
const TAIL_ROWS = 3;

function moreLine(count: number): StyledLine {
  return inGutter([span(`${counted(count, 'more line')} · ctrl+o`, 'dim')]);
}

function inGutter(line: StyledLine): StyledLine {
  return [span(GUTTER, 'dim'), ...line];
}

/** Shows control sequences and invisible characters by signs: what is to be approved must not hide anything. */
export function visibleText(text: string): string {
  return neutraliseEscapes(text).replaceAll('\t', TAB);
}

/** Removes control sequences, so that program output cannot move our cursor or change our colours. */
export function withoutControl(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll('\t', TAB)
    .replaceAll(/\r(?=\n|$)/g, '')
    .replaceAll(/[^\n\P{Cc}]/gu, '');
}
