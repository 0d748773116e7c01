import type { PermissionMode } from '@robota-sdk/agent-core';
import type { QueuedPrompt, SessionCapabilities } from '@robota-sdk/agent-sdk';
import {
  type ConversationState,
  EMPTY_CONVERSATION,
  type ToolDiff,
  type ToolStep,
} from '@robota-sdk/agent-transcript';
import { type EditorState, EMPTY_EDITOR } from '../editor/editor-state.ts';
import { type Highlighter, plainHighlighter } from '../markdown/render-markdown.ts';
import type { StyledLine } from '../markdown/styled-text.ts';
import { PLAIN_THEME, type Theme } from '../output/theme.ts';
import type { CompletionMenu } from './completion.ts';
import { LayeredMap } from './layered-map.ts';
import type { ScreenNote } from './notes.ts';
import type { Overlay } from './overlay.ts';
import type { ParagraphScan } from './paragraph-scan.ts';
import { EMPTY_RECALL, type PromptRecall } from './prompt-recall.ts';
import type { ScreenQuestion } from './question.ts';
import type { UnconfirmedPrompt, WaitingTask, Work } from './work.ts';

/** Everything the terminal shows. Changed only by `updateScreen`. */
export interface ScreenState {
  readonly conversation: ConversationState;
  /** Blocks that have started and not completed. */
  readonly openBlocks: ReadonlySet<string>;
  /** The block whose text was the last to grow and does not end with a newline. */
  readonly lineOf: string | undefined;
  readonly facts: BlockFacts;
  readonly notes: readonly ScreenNote[];
  /** The agent's to-do list. */
  readonly steps: readonly ToolStep[];
  readonly print: PrintProgress;
  readonly banner: BannerFacts;
  readonly editor: EditorState;
  readonly recall: PromptRecall;
  readonly completion: CompletionMenu | undefined;
  readonly questions: readonly ScreenQuestion[];
  readonly overlay: Overlay | undefined;
  readonly status: StatusFacts;
  readonly commands: readonly CommandEntry[];
  /** Paths for `@` completion, listed anew for every `@`; undefined until the first one. */
  readonly files: readonly string[] | undefined;
  /** Paths have been asked for and not arrived. */
  readonly isListingFiles: boolean;
  /** Undefined until a session is open. */
  readonly session: ShownAgent | undefined;
  readonly work: Work | undefined;
  /** Prompts in the session's queue, from all clients. */
  readonly waiting: readonly QueuedPrompt[];
  /** Prompts of this terminal that the session has received but not started. */
  readonly sent: readonly UnconfirmedPrompt[];
  /** Tasks queued behind a command of this terminal. */
  readonly queue: readonly WaitingTask[];
  /** Prefix of the ids of prompts sent from here. */
  readonly surface: string;
  /** Number of prompts sent to the session so far. */
  readonly asked: number;
  /** Set by the first ctrl+c on an empty prompt; the second one exits. */
  readonly isLeaving: boolean;
  /** Set by the first esc on an empty prompt; the second one opens the rewind list. */
  readonly isGoingBack: boolean;
  /** Time of the last key, in milliseconds since 1970. */
  readonly lastPressAt: number;
  /** Time of the last action that carried one. */
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
  readonly highlight: Highlighter;
}

/** Facts about blocks that the blocks do not contain; known only for those that arrived live. */
export interface BlockFacts {
  readonly times: LayeredMap<string, BlockTimes>;
  /** By tool-use id: the diff of an edit, computed before the file was changed. */
  readonly diffs: ReadonlyMap<string, ToolDiff>;
  /** By tool-use id: the last lines a running command has printed. */
  readonly tails: ReadonlyMap<string, OutputTail>;
  /** By block id: the text shown for an error, and what the user can do about it. */
  readonly advice: ReadonlyMap<string, ErrorAdvice>;
}

export interface ErrorAdvice {
  /** Replaces the error's own message. */
  readonly notice: string | undefined;
  readonly hint: string | undefined;
}

export interface BlockTimes {
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface OutputTail {
  readonly lines: readonly string[];
  /** Number of earlier lines that were dropped. */
  readonly above: number;
}

/** Progress of the permanent output above the live area. */
interface PrintProgress {
  /** Not yet written. */
  readonly lines: readonly StyledLine[];
  /** Leading blocks of the conversation that are printed completely. */
  readonly blocks: number;
  /** Characters of the next block's text that are printed. */
  readonly characters: number;
  /** How far the rest of that text has been searched for the end of a paragraph. */
  readonly scan?: ParagraphScan | undefined;
}

/** The first lines of a session. */
export interface BannerFacts {
  readonly version: string;
  readonly directory: string;
  /** False until the session is open; the banner is drawn in the live area until then. */
  readonly isPrinted: boolean;
  /** Says that the demo provider answers because no API key is set; undefined otherwise. */
  readonly missingKey: string | undefined;
  /** Short summary of existing sessions. */
  readonly found: string | undefined;
}

/** The agent of the session and its capabilities. */
export interface ShownAgent {
  readonly id: string;
  /** Short name of the agent: `claude`. */
  readonly agent: string;
  /** `Claude Code`. */
  readonly title: string;
  readonly capabilities: SessionCapabilities;
}

export interface StatusFacts {
  readonly sessionName: string | undefined;
  readonly model: string;
  readonly provider: string;
  readonly contextPercentage: number;
  readonly contextTokens: number | undefined;
  readonly costUsd: number | undefined;
  /** Undefined when the agent does not report it. */
  readonly mode: PermissionMode | undefined;
  readonly branch: string | undefined;
  /** False once the log or the record could not be written. */
  readonly isSaved: boolean;
  /** Number of running and queued background tasks. */
  readonly tasks: number;
  /** The connection problem; undefined while connected. */
  readonly line?: string | undefined;
}

export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | undefined;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
}

export const NO_FACTS: BlockFacts = {
  times: new LayeredMap(),
  diffs: new Map(),
  tails: new Map(),
  advice: new Map(),
};

const NOTHING_PRINTED: PrintProgress = { lines: [], blocks: 0, characters: 0 };

const UNKNOWN_STATUS: StatusFacts = {
  sessionName: undefined,
  model: '',
  provider: '',
  contextPercentage: 0,
  contextTokens: undefined,
  costUsd: undefined,
  mode: 'default',
  branch: undefined,
  isSaved: true,
  tasks: 0,
};

export interface ScreenStart {
  readonly version: string;
  readonly directory: string;
  readonly columns: number;
  readonly rows: number;
  readonly theme?: Theme | undefined;
  readonly status?: Partial<StatusFacts> | undefined;
  readonly prompts?: readonly string[] | undefined;
  /** Distinguishes prompts of this terminal from those of other clients. */
  readonly surface?: string | undefined;
}

export function initialScreen(start: ScreenStart): ScreenState {
  return {
    conversation: EMPTY_CONVERSATION,
    openBlocks: new Set(),
    lineOf: undefined,
    facts: NO_FACTS,
    notes: [],
    steps: [],
    print: NOTHING_PRINTED,
    banner: {
      version: start.version,
      directory: start.directory,
      isPrinted: false,
      missingKey: undefined,
      found: undefined,
    },
    editor: EMPTY_EDITOR,
    recall: { ...EMPTY_RECALL, prompts: start.prompts ?? [] },
    completion: undefined,
    questions: [],
    overlay: undefined,
    status: { ...UNKNOWN_STATUS, ...start.status },
    commands: [],
    files: undefined,
    isListingFiles: false,
    session: undefined,
    work: undefined,
    waiting: [],
    sent: [],
    queue: [],
    surface: start.surface ?? 'terminal',
    asked: 0,
    isLeaving: false,
    isGoingBack: false,
    lastPressAt: 0,
    now: 0,
    columns: start.columns,
    rows: start.rows,
    theme: start.theme ?? PLAIN_THEME,
    highlight: plainHighlighter,
  };
}
