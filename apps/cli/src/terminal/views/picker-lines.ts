import { cellWidth, truncateCells } from '../layout/cell-width.ts';
import { bandedLine, cutLine, spreadLine } from '../layout/fit-line.ts';
import { type Span, type StyledLine, span } from '../markdown/styled-text.ts';
import { type PickableSession, type PickerOverlay, pickable } from '../state/overlay.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { listWindow } from './list-window.ts';

export interface InputView {
  readonly lines: readonly StyledLine[];
  /** Where a text is being written: line from the top, and the text before the cursor. */
  readonly input: { readonly line: number; readonly before: string };
}

/** Below this width the columns Where and Blocks are left out. */
const ROOMY = 80;
/** Rows around the list. */
const OTHER_ROWS = 8;

/** The sessions of every agent, in columns. */
export function pickerLines(state: ScreenState, overlay: PickerOverlay): InputView {
  const { columns } = state;
  const found = pickable(overlay);
  const rows = Math.max(3, Math.min(15, state.rows - OTHER_ROWS));
  const { shown, first } = listWindow(found, overlay.selected, rows);
  const label = overlay.rename ? 'New name: ' : '❯ ';
  const written = overlay.rename ?? overlay.query;
  return {
    lines: [
      spreadLine(countOf(overlay, found.length), filtersOf(overlay, columns), columns),
      [span(label, 'accent'), span(written.text)],
      [],
      ...(columns >= ROOMY ? [headerLine(columns)] : []),
      ...shown.map((session, index) =>
        sessionLine(session, { columns, isChosen: first + index === overlay.selected }),
      ),
      [],
      spreadLine(overlay.isDrawn ? advice(columns) : [], LEGEND, columns),
    ],
    input: { line: 1, before: label + written.text.slice(0, written.cursor) },
  };
}

const LEGEND: StyledLine = [
  span('◆', 'warning'),
  span(' needs you ', 'dim'),
  span('●', 'accent'),
  span(' works', 'dim'),
];

function advice(columns: number): StyledLine {
  const all = 'enter opens · ctrl+f forks · ctrl+r renames · esc closes';
  return [span(columns >= ROOMY ? all : 'enter opens · ctrl+f forks · esc closes', 'dim')];
}

function countOf({ sessions, isLoading }: PickerOverlay, found: number): StyledLine {
  const grouped = (count: number) => count.toLocaleString('en-US');
  const looking = isLoading ? ' · looking…' : '';
  return [
    span('Resume ', 'strong'),
    span(`${grouped(found)} of ${grouped(sessions.length)}${looking}`, 'dim'),
  ];
}

function filtersOf({ isHereOnly, agent }: PickerOverlay, columns: number): StyledLine {
  const here = isHereOnly ? 'everywhere' : 'this directory';
  if (columns < ROOMY) return [span(`ctrl+a ${isHereOnly ? 'all' : 'here'}`, 'dim')];
  return [span(`ctrl+a ${here} · ctrl+g agent: ${agent ?? 'any'}`, 'dim')];
}

interface Widths {
  readonly title: number;
  readonly agent: number;
  readonly where: number;
  readonly when: number;
  readonly blocks: number;
}

function widthsFor(columns: number): Widths {
  const isRoomy = columns >= ROOMY;
  const fixed = { agent: 13, where: isRoomy ? 14 : 0, when: 8, blocks: isRoomy ? 8 : 0 };
  const used = 4 + fixed.agent + fixed.where + fixed.when + fixed.blocks + 2;
  return { ...fixed, title: Math.max(10, columns - used) };
}

function headerLine(columns: number): StyledLine {
  const texts = { title: 'Title', agent: 'Agent', where: 'Where', when: 'When', blocks: 'Blocks' };
  return [span('    '), ...row(texts, widthsFor(columns)).map(({ text }) => span(text, 'dim'))];
}

/** The title, and the other columns behind it. */
function row(texts: Readonly<Record<keyof Widths, string>>, widths: Widths): StyledLine {
  const left = (text: string, width: number) => {
    if (width === 0) return '';
    const cut = truncateCells(text, width - 1);
    return cut + ' '.repeat(Math.max(0, width - cellWidth(cut)));
  };
  const right = (text: string, width: number) => (width === 0 ? '' : text.padStart(width));
  const places = `${left(texts.agent, widths.agent)}${left(texts.where, widths.where)}`;
  const numbers = `${right(texts.when, widths.when)}${right(texts.blocks, widths.blocks)}`;
  return [span(`${left(texts.title, widths.title)}  `), span(places + numbers, 'dim')];
}

const LIVE_SIGNS: Readonly<Record<NonNullable<PickableSession['live']>, Span>> = {
  needs_you: span('◆ ', 'warning'),
  works: span('● ', 'accent'),
};

function sessionLine(
  session: PickableSession,
  { columns, isChosen }: { readonly columns: number; readonly isChosen: boolean },
): StyledLine {
  const texts = {
    title: session.title,
    agent: session.agentName,
    where: session.directory?.split('/').at(-1) ?? '',
    when: session.when,
    blocks: session.blockCount === undefined ? '' : session.blockCount.toLocaleString('en-US'),
  };
  const line: StyledLine = [
    span(isChosen ? '❯ ' : '  ', 'accent'),
    session.live ? LIVE_SIGNS[session.live] : span('  '),
    ...row(texts, widthsFor(columns)).map((piece) => (isChosen ? span(piece.text) : piece)),
  ];
  return isChosen ? bandedLine(cutLine(line, columns), 'chosen', columns) : cutLine(line, columns);
}
