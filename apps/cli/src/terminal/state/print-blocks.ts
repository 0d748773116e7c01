import {
  type ConversationBlock,
  type ConversationState,
  EMPTY_CONVERSATION,
} from '@robota-sdk/agent-transcript';
import { type StyledLine, span } from '../markdown/styled-text.ts';
import { bannerLines } from '../views/banner.ts';
import { blockLines } from '../views/block-lines.ts';
import { assistantTextLines } from '../views/blocks/assistant-text.ts';
import { quietCallLines, quietCallsAt } from '../views/quiet-calls.ts';
import { isShownByCall, resultOf } from './find-result.ts';
import { addNote } from './notes.ts';
import { scanParagraphs } from './paragraph-scan.ts';
import type { ScreenAction } from './screen-action.ts';
import { NO_FACTS, type ScreenState } from './screen-state.ts';
import { stepsIn } from './steps.ts';
import { workAfterOpening } from './work.ts';

/** Blocks printed of a resumed conversation; ctrl+o shows the others. */
const MAX_SHOWN = 100;

/** Prints finished blocks, and streaming text up to the last paragraph that can no longer change. */
export function printFinished(state: ScreenState): ScreenState {
  const { blocks } = state.conversation;
  const parts: (readonly StyledLine[])[] = [];
  let { blocks: done, characters } = state.print;
  while (done < blocks.length) {
    const step = printedAt(state, done, characters);
    if (!step) break;
    parts.push(step.lines);
    done = step.next;
    characters = 0;
  }
  const open = blocks[done];
  let { scan } = state.print;
  if (open?.type === 'assistant_text') {
    scan = scanParagraphs(open, characters, scan);
    if (scan.stable > characters) {
      parts.push([[], ...assistantTextLines(open.content.slice(characters, scan.stable), state)]);
      characters = scan.stable;
    }
  }
  if (parts.length === 0 && done === state.print.blocks && scan === state.print.scan) return state;
  const lines = parts.length === 0 ? state.print.lines : [...state.print.lines, ...parts.flat()];
  return { ...state, print: { ...state.print, lines, blocks: done, characters, scan } };
}

/** Prints the banner and the last blocks of a newly opened conversation below the existing output. */
export function openConversation(
  state: ScreenState,
  { conversation, session, banner }: Extract<ScreenAction, { type: 'opened' }>,
): ScreenState {
  const skipped = Math.max(0, conversation.blocks.length - MAX_SHOWN);
  const begun = printBanner({
    ...state,
    conversation: EMPTY_CONVERSATION,
    openBlocks: new Set(),
    facts: NO_FACTS,
    notes: [],
    steps: stepsIn(conversation.blocks.slice(-MAX_SHOWN)),
    session,
    ...workAfterOpening(state, conversation),
    questions: state.questions.filter(({ kind }) => kind === 'trust'),
    banner: { ...state.banner, ...banner, isPrinted: false },
    print: { ...state.print, blocks: 0, characters: 0 },
  });
  const earlier: StyledLine[] =
    skipped === 0 ? [] : [[], [span(`${skipped} earlier blocks · ctrl+o`, 'dim')]];
  return printFinished({
    ...begun,
    conversation,
    print: { ...begun.print, lines: [...begun.print.lines, ...earlier], blocks: skipped },
  });
}

/** Printed blocks stay; where they differ from the reloaded conversation, the new blocks follow below a note. */
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

/** Prints the banner once everything in it is known. */
export function printBanner(state: ScreenState): ScreenState {
  if (state.banner.isPrinted || !state.session) return state;
  return {
    ...state,
    banner: { ...state.banner, isPrinted: true },
    print: { ...state.print, lines: [...state.print.lines, ...bannerLines(state)] },
  };
}

interface PrintStep {
  readonly lines: readonly StyledLine[];
  /** Index of the block after the printed ones. */
  readonly next: number;
}

/** The lines to print from a block on; undefined when they may still change. */
function printedAt(state: ScreenState, index: number, characters: number): PrintStep | undefined {
  const { blocks } = state.conversation;
  const quiet = quietCallsAt(blocks, index);
  if (quiet) {
    const mayGrow = quiet.next >= blocks.length && !isIdle(state);
    if (mayGrow || quiet.isRunning) return undefined;
    return { lines: [[], ...quietCallLines(quiet, state)], next: quiet.next };
  }
  const block = blocks[index];
  if (!block || !isFinished(state, block, index)) return undefined;
  return { lines: unprintedLines(state, block, { index, characters }), next: index + 1 };
}

function isFinished(state: ScreenState, block: ConversationBlock, index: number): boolean {
  if (state.openBlocks.has(block.id)) return false;
  if (block.type === 'subagent')
    return block.status === 'success' || block.status === 'error' || isIdle(state);
  // The advice for an error is known only when the turn has ended.
  if (block.type === 'system' && block.subtype === 'error')
    return isIdle(state) || index < state.conversation.blocks.length - 1;
  if (block.type !== 'tool_use') return true;
  return resultOf(state.conversation.blocks, index) !== undefined || isIdle(state);
}

/** Whether open blocks can no longer change; never known for a session that is only followed. */
function isIdle({ work, session }: ScreenState): boolean {
  return work === undefined && session?.capabilities.prompt !== false;
}

function unprintedLines(
  state: ScreenState,
  block: ConversationBlock,
  { index, characters }: { readonly index: number; readonly characters: number },
): readonly StyledLine[] {
  const { blocks } = state.conversation;
  if (isShownByCall(blocks, index)) return [];
  if (block.type === 'assistant_text') {
    const text = block.content.slice(characters);
    return text.trim() === '' ? [] : [[], ...assistantTextLines(text, state)];
  }
  const lines = blockLines(state, index, { isUnfolded: false });
  return lines.length === 0 ? [] : [[], ...lines];
}
