import type { PagerCommand } from '../keys/key-table.ts';
import { spreadLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { isShownByCall } from '../state/find-result.ts';
import { currentQuestion } from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { blockLines } from './block-lines.ts';
import { noteLines } from './note-lines.ts';

/** The first row shown: a row of a block with everything unfolded. */
export interface PagerPosition {
  readonly block: number;
  readonly row: number;
}

/** The rows of the screen that shows the whole conversation. Only blocks in sight are laid out, however many there are. */
export function transcriptLines(
  state: ScreenState,
  position: PagerPosition | undefined,
): StyledLine[] {
  const room = pageRows(state);
  const top = position ?? endPosition(state);
  const lines: StyledLine[] = [];
  for (let block = top.block; block <= lastUnit(state) && lines.length < room; block++) {
    const rows = unitRows(state, block);
    lines.push(...rows.slice(block === top.block ? top.row : 0));
  }
  const shown = lines.slice(0, room);
  const blank = Array.from({ length: room - shown.length }, (): StyledLine => []);
  return [...shown, ...blank, statusRow(state, top, position === undefined)];
}

/** Where the first row is after a key; undefined at the end, where new lines are followed. */
export function scrollTranscript(
  state: ScreenState,
  position: PagerPosition | undefined,
  command: Exclude<PagerCommand, 'close'>,
): PagerPosition | undefined {
  const top = position ?? endPosition(state);
  const page = Math.max(1, pageRows(state) - 2);
  switch (command) {
    case 'begin':
      return atEnd(state, { block: 0, row: 0 });
    case 'end':
      return undefined;
    case 'line_up':
      return upwards(state, top, 1);
    case 'page_up':
      return upwards(state, top, page);
    case 'line_down':
      return atEnd(state, downwards(state, top, 1));
    case 'page_down':
      return atEnd(state, downwards(state, top, page));
  }
}

function pageRows({ rows }: ScreenState): number {
  return Math.max(1, rows - 1);
}

/** Behind the last block stand the notes that came after it. */
function lastUnit({ conversation }: ScreenState): number {
  return conversation.blocks.length;
}

/** A block's rows behind the notes that were printed before it. */
function unitRows(state: ScreenState, block: number): StyledLine[] {
  const notes = state.notes
    .filter((note) => note.afterBlocks === block)
    .flatMap((note) => [[], ...noteLines(note, state.columns)]);
  if (isShownByCall(state.conversation.blocks, block)) return notes;
  const lines = blockLines(state, block, { isUnfolded: true });
  return lines.length === 0 ? notes : [...notes, [], ...lines];
}

function endPosition(state: ScreenState): PagerPosition {
  return upwards(state, { block: lastUnit(state) + 1, row: 0 }, pageRows(state));
}

function upwards(state: ScreenState, from: PagerPosition, count: number): PagerPosition {
  let { block, row } = from;
  let left = count;
  while (left > row && block > 0) {
    left -= row;
    block -= 1;
    row = unitRows(state, block).length;
  }
  return { block, row: Math.max(0, row - left) };
}

function downwards(state: ScreenState, from: PagerPosition, count: number): PagerPosition {
  let { block, row } = from;
  row += count;
  for (; block < lastUnit(state); block++) {
    const length = unitRows(state, block).length;
    if (row < length) break;
    row -= length;
  }
  return { block, row };
}

/** A position from which the last page would be left half empty is the end. */
function atEnd(state: ScreenState, position: PagerPosition): PagerPosition | undefined {
  const end = endPosition(state);
  const isBehind =
    position.block > end.block || (position.block === end.block && position.row >= end.row);
  return isBehind ? undefined : position;
}

function statusRow(state: ScreenState, top: PagerPosition, isEnd: boolean): StyledLine {
  const total = state.conversation.blocks.length;
  const place = isEnd ? 'end' : `block ${Math.min(top.block + 1, total)} of ${total}`;
  const left = currentQuestion(state)
    ? [span('◆ A question waits for you · esc goes to it', 'warning')]
    : [span('↑↓ space b g G move · esc closes', 'dim')];
  return spreadLine(left, [span(place, 'dim')], state.columns);
}
