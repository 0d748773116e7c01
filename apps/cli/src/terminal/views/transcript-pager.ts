import type { ConversationBlock } from '@robota-sdk/agent-transcript';
import type { PagerCommand } from '../keys/key-table.ts';
import { spreadLine } from '../layout/fit-line.ts';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { isShownByCall, resultOf } from '../state/find-result.ts';
import { currentQuestion } from '../state/question.ts';
import type { ScreenState } from '../state/screen-state.ts';
import { blockLines } from './block-lines.ts';
import { noteLines } from './note-lines.ts';

/** The first visible row: a row of an unfolded block. */
export interface PagerPosition {
  readonly block: number;
  readonly row: number;
}

/** The rows of the full-screen transcript. Only visible blocks are laid out, however long the conversation is. */
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

/** The first visible row after a key; undefined at the end, where new output is followed. */
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

/** One past the last block: the unit with the notes after it. */
function lastUnit({ conversation }: ScreenState): number {
  return conversation.blocks.length;
}

/** The notes printed before a block, then the block's rows. */
function unitRows(state: ScreenState, block: number): StyledLine[] {
  const notes = state.notes
    .filter((note) => note.afterBlocks === block)
    .flatMap((note) => [[], ...noteLines(note, state.columns)]);
  if (isShownByCall(state.conversation.blocks, block)) return notes;
  const lines = unfoldedLines(state, block);
  return lines.length === 0 ? notes : [...notes, [], ...lines];
}

/** Everything that the rows of a finished block depend on. */
type RowSource = readonly unknown[];

interface LaidOutBlock {
  readonly source: RowSource;
  readonly lines: readonly StyledLine[];
}

/** A page needs the rows of the same few blocks again and again, and one block may be very long. */
const MAX_LAID_OUT = 8;
const laidOut = new Map<ConversationBlock, LaidOutBlock>();

function unfoldedLines(state: ScreenState, index: number): readonly StyledLine[] {
  const block = state.conversation.blocks[index];
  const source = block && rowSource(state, block, index);
  if (!block || !source) return blockLines(state, index, { isUnfolded: true });
  const known = laidOut.get(block);
  const isSame = known?.source.every((part, place) => part === source[place]);
  const lines = known && isSame ? known.lines : blockLines(state, index, { isUnfolded: true });
  laidOut.delete(block);
  laidOut.set(block, { source, lines });
  const [oldest] = laidOut.keys();
  if (oldest && laidOut.size > MAX_LAID_OUT) laidOut.delete(oldest);
  return lines;
}

/** Undefined for a block whose rows change with time or with other blocks. */
function rowSource(
  { columns, highlight, facts, conversation, banner }: ScreenState,
  block: ConversationBlock,
  index: number,
): RowSource | undefined {
  if (block.type === 'assistant_text') return [columns, highlight];
  if (block.type !== 'tool_use') return undefined;
  const result = resultOf(conversation.blocks, index);
  if (!result) return undefined;
  const { toolUseId, id } = block;
  const known = [facts.diffs.get(toolUseId), facts.times.get(id)];
  return [columns, highlight, result, banner.directory, ...known];
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

/** A position that would leave the last page partly empty counts as the end. */
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
