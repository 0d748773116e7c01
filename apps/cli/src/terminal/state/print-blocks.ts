import {
  type ConversationBlock,
  type ConversationState,
  EMPTY_CONVERSATION,
} from '@robota-sdk/agent-transcript';
import { bannerLines } from '../views/banner.ts';
import { blockLines } from '../views/block-lines.ts';
import { assistantTextLines } from '../views/blocks/assistant-text.ts';
import { quietCallLines, quietCallsAt } from '../views/quiet-calls.ts';
import { isShownByCall, resultOf } from './find-result.ts';
import { addNote } from './notes.ts';
import type { ScreenAction } from './screen-action.ts';
import { NO_FACTS, type PrintedItem, type ScreenState } from './screen-state.ts';
import { stepsIn } from './steps.ts';

/** Blocks of a resumed conversation that are shown; ctrl+o shows the others. */
const MOST_SHOWN = 100;

/** Prints what is finished. Text that still streams is printed up to the last paragraph that cannot change. */
export function printFinished(state: ScreenState): ScreenState {
  const { blocks } = state.conversation;
  const items: PrintedItem[] = [];
  let { blocks: done, characters } = state.print;
  while (done < blocks.length) {
    const step = printedAt(state, done, characters);
    if (!step) break;
    if (step.item) items.push(step.item);
    done = step.next;
    characters = 0;
  }
  const open = blocks[done];
  if (open?.type === 'assistant_text') {
    const stable = stableLength(open.content, characters);
    if (stable > characters) {
      items.push(
        pieceOf(state, open.id, { text: open.content.slice(characters, stable), from: characters }),
      );
      characters = stable;
    }
  }
  if (items.length === 0 && done === state.print.blocks) return state;
  const print = {
    ...state.print,
    items: [...state.print.items, ...items],
    blocks: done,
    characters,
  };
  return { ...state, print };
}

/** Another conversation: its banner and its last blocks, below what is there. */
export function openConversation(
  state: ScreenState,
  { conversation, session, banner }: Extract<ScreenAction, { type: 'opened' }>,
): ScreenState {
  const skipped = Math.max(0, conversation.blocks.length - MOST_SHOWN);
  const begun = printBanner({
    ...state,
    conversation: EMPTY_CONVERSATION,
    openBlocks: new Set(),
    facts: NO_FACTS,
    notes: [],
    steps: stepsIn(conversation.blocks.slice(-MOST_SHOWN)),
    session,
    waiting: [],
    questions: state.questions.filter(({ kind }) => kind === 'trust'),
    banner: { ...state.banner, ...banner, isPrinted: false },
    print: { ...state.print, blocks: 0, characters: 0 },
  });
  const earlier: PrintedItem[] =
    skipped === 0
      ? []
      : [
          {
            key: 'earlier',
            lines: [[], [{ text: `${skipped} earlier blocks · ctrl+o`, style: 'dim' }]],
          },
        ];
  return printFinished({
    ...begun,
    conversation,
    print: { ...begun.print, items: [...begun.print.items, ...earlier], blocks: skipped },
  });
}

/** What stands above stays; where it is not what the session says now, the difference follows below a note. */
export function resyncConversation(
  state: ScreenState,
  conversation: ConversationState,
): ScreenState {
  const { blocks: before } = state.conversation;
  const { blocks } = conversation;
  let same = 0;
  while (same < state.print.blocks && before[same]?.id === blocks[same]?.id) same += 1;
  const isSame = same === state.print.blocks;
  const text = 'The session was reloaded; what follows replaces what is above.';
  const noted = isSame ? state : addNote(state, { tone: 'plain', text });
  const characters = isSame ? state.print.characters : 0;
  const print = { ...noted.print, blocks: same, characters };
  return printFinished({ ...noted, conversation, openBlocks: new Set(), print });
}

/** The banner is printed once everything in it is known. */
export function printBanner(state: ScreenState): ScreenState {
  if (state.banner.isPrinted || !state.session) return state;
  const item = { key: 'banner', lines: bannerLines(state) };
  return {
    ...state,
    banner: { ...state.banner, isPrinted: true },
    print: { ...state.print, items: [...state.print.items, item] },
  };
}

interface PrintStep {
  readonly item: PrintedItem | undefined;
  /** The block that comes after what was printed. */
  readonly next: number;
}

/** What is printed from a block on; undefined when it may still change. */
function printedAt(state: ScreenState, index: number, characters: number): PrintStep | undefined {
  const { blocks } = state.conversation;
  const quiet = quietCallsAt(blocks, index);
  if (quiet) {
    const mayGrow = quiet.next >= blocks.length && !isIdle(state);
    if (mayGrow || quiet.isRunning) return undefined;
    const lines = [[], ...quietCallLines(quiet, state)];
    return { item: { key: blocks[index]?.id ?? '', lines }, next: quiet.next };
  }
  const block = blocks[index];
  if (!block || !isFinished(state, block, index)) return undefined;
  return { item: wholeOrRest(state, block, { index, characters }), next: index + 1 };
}

function isFinished(state: ScreenState, block: ConversationBlock, index: number): boolean {
  if (state.openBlocks.has(block.id)) return false;
  if (block.type === 'subagent')
    return block.status === 'success' || block.status === 'error' || isIdle(state);
  // What can be done about an error is known when the turn has ended.
  if (block.type === 'system' && block.subtype === 'error')
    return isIdle(state) || index < state.conversation.blocks.length - 1;
  if (block.type !== 'tool_use') return true;
  return resultOf(state.conversation.blocks, index) !== undefined || isIdle(state);
}

/** Whether nothing more can come of what has begun; of a session that is only followed nobody knows. */
function isIdle({ work, session }: ScreenState): boolean {
  return work === undefined && session?.capabilities.prompt !== false;
}

function wholeOrRest(
  state: ScreenState,
  block: ConversationBlock,
  { index, characters }: { readonly index: number; readonly characters: number },
): PrintedItem | undefined {
  const { blocks } = state.conversation;
  if (isShownByCall(blocks, index)) return undefined;
  if (block.type === 'assistant_text') {
    const text = block.content.slice(characters);
    return text.trim() === '' ? undefined : pieceOf(state, block.id, { text, from: characters });
  }
  const lines = blockLines(state, index, { isUnfolded: false });
  return lines.length === 0 ? undefined : { key: block.id, lines: [[], ...lines] };
}

function pieceOf(
  state: ScreenState,
  id: string,
  { text, from }: { readonly text: string; readonly from: number },
): PrintedItem {
  return { key: `${id}@${from}`, lines: [[], ...assistantTextLines(text, state)] };
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
