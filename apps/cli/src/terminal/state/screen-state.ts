import type { PermissionMode } from '@robota-sdk/agent-core';
import { type ConversationState, EMPTY_CONVERSATION } from '@robota-sdk/agent-transcript';
import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import { type Highlighter, plainHighlighter } from '../markdown/render-markdown.ts';
import type { StyledLine } from '../markdown/styled-text.ts';
import type { Completion } from './completion.ts';
import type { Overlay } from './overlay.ts';
import { EMPTY_RECALL, type PromptRecall } from './prompt-recall.ts';

/** Everything the terminal shows. Changed only by `updateScreen`. */
export interface ScreenState {
  readonly conversation: ConversationState;
  /** Blocks that have started and not completed. */
  readonly openBlocks: ReadonlySet<string>;
  readonly print: PrintProgress;
  readonly editor: EditorState;
  readonly recall: PromptRecall;
  readonly completion: Completion | undefined;
  readonly overlay: Overlay | undefined;
  readonly status: StatusFacts;
  readonly commands: readonly CommandEntry[];
  /** Paths for `@` completion; empty until somebody types one. */
  readonly files: readonly string[];
  readonly notice: string | undefined;
  readonly queued: string | undefined;
  readonly isBusy: boolean;
  readonly isExpanded: boolean;
  /** Set by the first ctrl+c on an empty prompt; the second one leaves. */
  readonly isLeaving: boolean;
  readonly columns: number;
  readonly rows: number;
  readonly highlight: Highlighter;
}

/** What stands above the live part for good; never drawn again unless the epoch rises. */
export interface PrintProgress {
  readonly items: readonly PrintedItem[];
  /** Leading blocks of the conversation that are printed whole. */
  readonly blocks: number;
  /** Characters of the next block's text that are printed. */
  readonly characters: number;
  /** Rises when everything is to be drawn anew: after clear, unfold, or another session. */
  readonly epoch: number;
}

export interface PrintedItem {
  readonly key: string;
  readonly lines: readonly StyledLine[];
}

export interface StatusFacts {
  readonly sessionName: string | undefined;
  readonly model: string;
  readonly provider: string;
  readonly contextPercentage: number;
  readonly costUsd: number | undefined;
  readonly mode: PermissionMode;
  readonly branch: string | undefined;
  /** False once the log or the record could not be written. */
  readonly isSaved: boolean;
}

export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | undefined;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
}

const NOTHING_PRINTED: PrintProgress = { items: [], blocks: 0, characters: 0, epoch: 0 };

export function initialScreen(start: {
  readonly status: StatusFacts;
  readonly columns: number;
  readonly rows: number;
  readonly prompts?: readonly string[];
}): ScreenState {
  return {
    conversation: EMPTY_CONVERSATION,
    openBlocks: new Set(),
    print: NOTHING_PRINTED,
    editor: EMPTY_EDITOR,
    recall: { ...EMPTY_RECALL, prompts: start.prompts ?? [] },
    completion: undefined,
    overlay: undefined,
    status: start.status,
    commands: [],
    files: [],
    notice: undefined,
    queued: undefined,
    isBusy: false,
    isExpanded: false,
    isLeaving: false,
    columns: start.columns,
    rows: start.rows,
    highlight: plainHighlighter,
  };
}
