import { cellWidth, truncateCells } from '../layout/cell-width.ts';
import { bandedLine, cutLine, lineWidth, spreadLine } from '../layout/fit-line.ts';
import { wrapLines } from '../layout/wrap-lines.ts';
import { type Span, type StyledLine, span, type TextStyle } from '../markdown/styled-text.ts';
import { hitIn, type PickableSession, type PickerOverlay, pickable } from '../state/overlay.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { withoutControl } from './folded-output.ts';
import { listWindow } from './list-window.ts';

export interface InputView {
  readonly lines: readonly StyledLine[];
  /** Position of the text input: line from the top, and the text before the cursor. */
  readonly input: { readonly line: number; readonly before: string };
}

/** Below this width the columns Where and Blocks are hidden. */
const WIDE_COLUMNS = 80;
/** Rows around the list. */
const OTHER_ROWS = 8;

/** The sessions of every agent, in columns. */
export function pickerLines(state: ScreenState, overlay: PickerOverlay): InputView {
  const { columns } = state;
  const found = pickable(overlay);
  const preview = previewLines(overlay, columns);
  const rows = Math.max(3, Math.min(15, state.rows - OTHER_ROWS - preview.length));
  const { shown, first } = listWindow(found, overlay.selected, rows);
  const label = overlay.rename ? 'New name: ' : '❯ ';
  const written = overlay.rename ?? overlay.query;
  return {
    lines: [
      spreadLine(countOf(overlay, found.length), filtersOf(overlay, columns), columns),
      [span(label, 'accent'), span(written.text)],
      [],
      ...(columns >= WIDE_COLUMNS ? [headerLine(columns)] : []),
      ...shown.flatMap((session, index) => {
        const isChosen = first + index === overlay.selected;
        const hit = isChosen ? hitIn(overlay, session) : undefined;
        const line = sessionLine(session, { columns, isChosen });
        return hit === undefined ? [line] : [line, hitLine(hit, columns)];
      }),
      ...preview,
      [],
      spreadLine(overlay.isDrawn ? advice(overlay, columns) : [], LEGEND, columns),
    ],
    input: { line: 1, before: label + written.text.slice(0, written.cursor) },
  };
}

/** The matching line, below the selected session. */
function hitLine(hit: string, columns: number): StyledLine {
  return cutLine([span(`      ${hit.trim()}`, 'dim')], columns);
}

const LEGEND: StyledLine = [
  span('◆', 'warning'),
  span(' needs you ', 'dim'),
  span('●', 'accent'),
  span(' works', 'dim'),
];

/** Maximum rows of the prompt and of the answer. */
const PREVIEW_ROWS = 3;

/** The last prompt and answer of the previewed session. */
function previewLines({ preview }: PickerOverlay, columns: number): StyledLine[] {
  if (!preview) return [];
  const { content } = preview;
  if (!content) return [[], [span('  Reading…', 'dim')]];
  if (content.problem !== undefined)
    return [[], cutLine([span(`  ${withoutControl(content.problem)}`, 'failure')], columns)];
  if (content.prompt === undefined) return [[], [span('  Nothing was said in it yet.', 'dim')]];
  const answer = content.answer === undefined ? [] : textRows(content.answer, 'plain', columns);
  return [[], ...marked('❯ ', textRows(content.prompt, 'user', columns)), ...marked('  ', answer)];
}

function textRows(text: string, style: TextStyle, columns: number): StyledLine[] {
  // Only the visible part of a long text is laid out.
  const lines = withoutControl(text.slice(0, columns * (PREVIEW_ROWS + 2))).split('\n');
  const filled = lines.filter((line) => line.trim() !== '');
  const rows = wrapLines(
    filled.map((line) => [span(line, style)]),
    columns - PREVIEW_MARGIN,
  );
  if (rows.length <= PREVIEW_ROWS) return rows;
  return [
    ...rows.slice(0, PREVIEW_ROWS - 1),
    [...(rows[PREVIEW_ROWS - 1] ?? []), span(' …', 'dim')],
  ];
}

/** Two cells of indent, two for the mark, and room for the ellipsis. */
const PREVIEW_MARGIN = 6;

function marked(mark: string, rows: readonly StyledLine[]): StyledLine[] {
  return rows.map((row, index) => [span(`  ${index === 0 ? mark : '  '}`, 'dim'), ...row]);
}

/** Key hints, as many as fit beside the legend. */
function advice({ preview }: PickerOverlay, columns: number): StyledLine {
  const show = preview ? 'space hides' : 'space shows';
  const room = columns - lineWidth(LEGEND) - 2;
  const known = [
    `enter opens · ctrl+f forks · ${show} · ctrl+r renames · esc closes`,
    `enter opens · ctrl+f forks · ${show} · esc closes`,
  ];
  const text = known.find((line) => line.length <= room);
  return [span(text ?? 'enter opens · ctrl+f forks · esc closes', 'dim')];
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
  if (columns < WIDE_COLUMNS) return [span(`ctrl+a ${isHereOnly ? 'all' : 'here'}`, 'dim')];
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
  const isRoomy = columns >= WIDE_COLUMNS;
  const fixed = { agent: 13, where: isRoomy ? 14 : 0, when: 8, blocks: isRoomy ? 8 : 0 };
  const used = 4 + fixed.agent + fixed.where + fixed.when + fixed.blocks + 2;
  return { ...fixed, title: Math.max(10, columns - used) };
}

function headerLine(columns: number): StyledLine {
  const texts = { title: 'Title', agent: 'Agent', where: 'Where', when: 'When', blocks: 'Blocks' };
  return [span('    '), ...row(texts, widthsFor(columns)).map(({ text }) => span(text, 'dim'))];
}

/** The title column followed by the others. */
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
