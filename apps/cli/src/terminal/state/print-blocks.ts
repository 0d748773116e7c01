import type { ConversationBlock, ToolResultBlock } from '@robota-sdk/agent-transcript';
import { blockLines, textPieceLines } from '../views/block-lines.ts';
import type { PrintedItem, PrintProgress, ScreenState } from './screen-state.ts';

/** A result follows its call closely; further away nobody looks. */
const RESULT_REACH = 256;

/** Prints what is finished. Text that still streams is printed up to the last paragraph that cannot change. */
export function printFinished(state: ScreenState): ScreenState {
  const { blocks } = state.conversation;
  const items: PrintedItem[] = [];
  let { blocks: done, characters } = state.print;
  for (; done < blocks.length; done++, characters = 0) {
    const block = blocks[done];
    if (!block || !isFinished(state, block, done)) break;
    const item = restOf(state, block, { index: done, characters });
    if (item) items.push(item);
  }
  const open = blocks[done];
  if (open?.type === 'assistant_text') {
    const stable = stableLength(open.content, characters);
    if (stable > characters) {
      items.push(pieceOf(state, open.id, open.content.slice(characters, stable), characters));
      characters = stable;
    }
  }
  if (items.length === 0 && done === state.print.blocks) return state;
  return {
    ...state,
    print: { ...state.print, items: [...state.print.items, ...items], blocks: done, characters },
  };
}

/** Everything drawn anew, as after unfolding. Older blocks than `keep` stay in the log. */
export function printAgain(state: ScreenState, keep = 200): ScreenState {
  const skipped = Math.max(0, state.conversation.blocks.length - keep);
  const items: PrintedItem[] =
    skipped === 0
      ? []
      : [{ key: 'earlier', lines: [[{ text: `… ${skipped} earlier blocks`, style: 'dim' }]] }];
  const print: PrintProgress = {
    items,
    blocks: skipped,
    characters: 0,
    epoch: state.print.epoch + 1,
  };
  return printFinished({ ...state, print });
}

/** The result that belongs to a call, if it has arrived. */
export function resultOf(
  blocks: readonly ConversationBlock[],
  index: number,
): ToolResultBlock | undefined {
  const call = blocks[index];
  if (call?.type !== 'tool_use') return undefined;
  for (let next = index + 1; next < Math.min(blocks.length, index + RESULT_REACH); next++) {
    const block = blocks[next];
    if (block?.type === 'tool_result' && block.toolUseId === call.toolUseId) return block;
  }
  return undefined;
}

/** True for a result whose call stands before it and shows it. */
export function isShownByCall(blocks: readonly ConversationBlock[], index: number): boolean {
  const result = blocks[index];
  if (result?.type !== 'tool_result') return false;
  for (let before = index - 1; before >= Math.max(0, index - RESULT_REACH); before--) {
    const block = blocks[before];
    if (block?.type === 'tool_use' && block.toolUseId === result.toolUseId) return true;
  }
  return false;
}

function isFinished(state: ScreenState, block: ConversationBlock, index: number): boolean {
  if (state.openBlocks.has(block.id)) return false;
  if (block.type === 'subagent')
    return block.status === 'success' || block.status === 'error' || !state.isBusy;
  if (block.type !== 'tool_use') return true;
  return resultOf(state.conversation.blocks, index) !== undefined || !state.isBusy;
}

function restOf(
  state: ScreenState,
  block: ConversationBlock,
  at: { readonly index: number; readonly characters: number },
): PrintedItem | undefined {
  const { blocks } = state.conversation;
  if (isShownByCall(blocks, at.index)) return undefined;
  if (block.type === 'assistant_text') {
    const rest = block.content.slice(at.characters);
    return rest.trim() === '' ? undefined : pieceOf(state, block.id, rest, at.characters);
  }
  const lines = blockLines(block, resultOf(blocks, at.index), viewOptions(state));
  return { key: block.id, lines: [[], ...lines] };
}

function pieceOf(state: ScreenState, id: string, text: string, from: number): PrintedItem {
  return {
    key: `${id}@${from}`,
    lines: [[], ...textPieceLines(text, from === 0, state.highlight)],
  };
}

export function viewOptions(state: ScreenState) {
  return { expanded: state.isExpanded, highlight: state.highlight };
}

/** Up to which character text can no longer change its look: the last empty line outside a code fence. */
function stableLength(text: string, from: number): number {
  let stable = from;
  let isFenced = false;
  let position = from;
  for (const line of text.slice(from).split('\n')) {
    const end = position + line.length + 1;
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced;
    if (line.trim() === '' && !isFenced && end <= text.length && position > from) stable = end;
    position = end;
  }
  return stable;
}
