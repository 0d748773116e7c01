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
import type { ScreenNote } from './notes.ts';
import type { Overlay } from './overlay.ts';
import { EMPTY_RECALL, type PromptRecall } from './prompt-recall.ts';
import type { Question } from './question.ts';
import type { SentPrompt, WaitingTask, Work } from './work.ts';

/** Everything the terminal shows. Changed only by `updateScreen`. */
export interface ScreenState {
  readonly conversation: ConversationState;
  /** Blocks that have started and not completed. */
  readonly openBlocks: ReadonlySet<string>;
  readonly facts: BlockFacts;
  readonly notes: readonly ScreenNote[];
  /** What the agent has on its list of things to do. */
  readonly steps: readonly ToolStep[];
  readonly print: PrintProgress;
  readonly banner: BannerFacts;
  readonly editor: EditorState;
  readonly recall: PromptRecall;
  readonly completion: CompletionMenu | undefined;
  readonly questions: readonly Question[];
  readonly overlay: Overlay | undefined;
  readonly status: StatusFacts;
  readonly commands: readonly CommandEntry[];
  /** Paths for `@` completion; empty until somebody types one. */
  readonly files: readonly string[];
  /** Undefined until one is open. */
  readonly session: SessionFacts | undefined;
  readonly work: Work | undefined;
  /** Prompts that wait in the session, as it says, whoever sent them. */
  readonly waiting: readonly QueuedPrompt[];
  /** Prompts of this terminal that the session has and has not begun. */
  readonly sent: readonly SentPrompt[];
  /** What stands behind a command of this terminal. */
  readonly queue: readonly WaitingTask[];
  /** Begins the ids of prompts that are written here. */
  readonly surface: string;
  /** Prompts given to the session so far. */
  readonly asked: number;
  /** Set by the first ctrl+c on an empty prompt; the second one leaves. */
  readonly isLeaving: boolean;
  /** Set by the first esc on an empty prompt; the second one opens the list of prompts to go back to. */
  readonly isGoingBack: boolean;
  /** When the last key came, in milliseconds since 1970. */
  readonly lastPressAt: number;
  /** The time as far as the screen knows it. */
  readonly now: number;
  readonly columns: number;
  readonly rows: number;
  readonly theme: Theme;
  readonly highlight: Highlighter;
}

/** What is known of blocks beyond what they say themselves; only of those that came while we watched. */
export interface BlockFacts {
  readonly times: ReadonlyMap<string, BlockTimes>;
  /** By tool-use id: what an edit changes, taken from the file before it was changed. */
  readonly diffs: ReadonlyMap<string, ToolDiff>;
  /** By tool-use id: the last lines a running command has printed. */
  readonly tails: ReadonlyMap<string, OutputTail>;
  /** By block id: how an error is told here, and what a person can do about it. */
  readonly advice: ReadonlyMap<string, ErrorAdvice>;
}

export interface ErrorAdvice {
  /** In the place of the error's own words. */
  readonly notice: string | undefined;
  readonly hint: string | undefined;
}

export interface BlockTimes {
  readonly startedAt: number;
  readonly endedAt?: number;
}

export interface OutputTail {
  readonly lines: readonly string[];
  /** Lines that came before these. */
  readonly above: number;
}

/** What stands above the live part for good. */
interface PrintProgress {
  /** Rises when a part of the items has been written, so that the next part is a new one. */
  readonly batch: number;
  /** Not yet written. */
  readonly items: readonly PrintedItem[];
  /** Leading blocks of the conversation that are printed whole. */
  readonly blocks: number;
  /** Characters of the next block's text that are printed. */
  readonly characters: number;
}

export interface PrintedItem {
  readonly key: string;
  readonly lines: readonly StyledLine[];
}

/** The first lines of a session. */
export interface BannerFacts {
  readonly version: string;
  readonly directory: string;
  /** Drawn below everything else until the session stands; then printed. */
  readonly isPrinted: boolean;
  /** Why a demonstration answers, where it does. */
  readonly missingKey: string | undefined;
  /** What was found here, in a few words. */
  readonly found: string | undefined;
}

/** Who answers in the session, and what can be asked of it. */
export interface SessionFacts {
  /** What people call the agent: `claude`. */
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
  /** Undefined where the agent does not say. */
  readonly mode: PermissionMode | undefined;
  readonly branch: string | undefined;
  /** False once the log or the record could not be written. */
  readonly isSaved: boolean;
  /** Background tasks that run or wait. */
  readonly tasks: number;
  /** Why the session is out of reach for the moment; undefined while it is not. */
  readonly line?: string | undefined;
}

export interface CommandEntry {
  readonly name: string;
  readonly description: string;
  readonly argumentHint: string | undefined;
  readonly subcommands: readonly { readonly name: string; readonly description: string }[];
}

export const NO_FACTS: BlockFacts = {
  times: new Map(),
  diffs: new Map(),
  tails: new Map(),
  advice: new Map(),
};

const NOTHING_PRINTED: PrintProgress = { batch: 0, items: [], blocks: 0, characters: 0 };

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
  /** Tells prompts of this terminal from those of other surfaces. */
  readonly surface?: string | undefined;
}

export function initialScreen(start: ScreenStart): ScreenState {
  return {
    conversation: EMPTY_CONVERSATION,
    openBlocks: new Set(),
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
    files: [],
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
