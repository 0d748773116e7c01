import type { ContextWindowState } from '../context/context-window-state.ts';
import type { TokenUsage } from '../context/usage.ts';
import type { HistoryEntry } from '../messages/history-entry.ts';
import type { Message } from '../messages/message.ts';
import type { EndedBy } from './entry.ts';
import type { FileChange, Rewind } from './file-change.ts';
import type { ToolResultFields, ToolState } from './tool-state.ts';

/** Why a model request was made. */
export type UsageCause = 'main' | 'subagent' | 'compaction' | 'retry';

/** Requests and token usage of one model. */
export interface ModelTally {
  readonly model: string;
  readonly requests: number;
  readonly usage: TokenUsage;
  readonly causes: Readonly<Partial<Record<UsageCause, number>>>;
}

/** Tokens of one turn, for its usage-summary entry. */
export interface TurnUsage {
  readonly kind: 'exact' | 'estimated';
  readonly scope: 'turn';
  readonly promptTokens: number;
  readonly completionTokens: number;
  readonly totalTokens: number;
  readonly contextUsedTokens: number;
  readonly contextMaxTokens: number;
  readonly contextUsedPercentage: number;
  readonly costStatus: 'unknown';
}

/** A permission question without an answer. */
export interface PendingQuestion {
  readonly requestId: string;
  readonly toolName: string;
  readonly toolCallId?: string;
  readonly thread?: string;
}

/** How the last turn ended. */
export interface TurnEnd {
  readonly status: 'completed' | 'interrupted' | 'failed';
  readonly endedBy: EndedBy;
  readonly message?: string;
}

/** The turn that is running, or was running when the process ended. */
export interface OpenTurn {
  /** Number of its `prompt` entry. */
  readonly n: number;
  /** True once its `user` entry was written. */
  isSent: boolean;
  /** Set for logs of version 0.1, which have no `turn_end`. */
  isOld?: boolean;
  /** All text of the turn so far, with a new paragraph after tools. */
  text: string;
  isNewParagraph: boolean;
  tools: ToolState[];
  readonly finished: ToolState[];
  usage?: TokenUsage;
  /** The final reply, shown in the timeline when the turn ends. */
  reply?: HistoryEntry;
  /** Streamed text that is not in the conversation yet. */
  round?: OpenRound | undefined;
}

interface OpenRound {
  readonly executionId: string;
  readonly round: number;
  text: string;
  thinking: string;
}

/** A tool call that has no result yet. */
export interface OpenCall {
  readonly toolName: string;
  readonly parameters: unknown;
  /** True once its tool may have run. */
  hasStarted: boolean;
  result?: ToolResultFields & { readonly time: number };
}

/** Position of a prompt, by the id of its message. */
export interface PlacedPrompt {
  readonly id: string;
  /** Index among the messages; -1 if a summary replaced it. */
  readonly index: number;
  readonly timeline: number;
  /** Number of file changes before it. */
  readonly files: number;
}

/** The part of the conversation that a rewind removed. */
export interface TakenPart {
  /** Number of messages that remained. */
  readonly kept: number;
  readonly messages: readonly Message[];
  readonly timeline: readonly HistoryEntry[];
  readonly prompts: readonly PlacedPrompt[];
  readonly compactions: readonly Compaction[];
}

/** Number of the log entry that compacted the conversation, and the id of the summary. */
interface Compaction {
  readonly n: number;
  readonly summaryId?: string;
}

/** A rewind with the part of the conversation it removed. */
export interface TakenBack extends Rewind {
  taken?: TakenPart;
}

/** The complete state of a session as plain data; checkpoints store it and readers receive it. */
export interface SessionState {
  /** Number of the last folded entry. */
  n: number;
  sessionId: string;
  cwd: string;
  createdAt: number;
  updatedAt: number;
  name?: string;
  model?: string;
  provider?: string;
  permissionMode?: string;
  systemPrompt?: string;
  toolSchemas?: readonly unknown[];
  context?: ContextWindowState;
  epoch: number;
  hasSystem: boolean;
  messages: readonly Message[];
  timeline: HistoryEntry[];
  prompts: PlacedPrompt[];
  /** File changes by tools and rewinds, the latest last. */
  files: FileChange[];
  /** What may have changed unrecorded, with the number of file changes before it. */
  notCovered: { readonly files: number; readonly what: string }[];
  /** Rewinds that can be undone, the latest last. */
  rewinds: TakenBack[];
  /** Set between the entry of a rewind or undo and its change of the conversation. */
  rewinding?:
    | { readonly kind: 'rewind'; readonly to: string }
    | { readonly kind: 'undo'; readonly taken: TakenPart };
  /** Compactions that can be undone, the latest last. */
  compactions: readonly Compaction[];
  /** Facts that every summary repeats verbatim. */
  pins: string[];
  turn: OpenTurn | null;
  /** Requested calls without a result in the conversation, by id. */
  calls: Record<string, OpenCall>;
  lastTurn?: TurnEnd;
  /** Number of turns with an answer. */
  answers: number;
  usage: Record<string, ModelTally>;
  /** The request in progress. */
  asked?: { readonly round: string; readonly cause: UsageCause } | undefined;
  questions: PendingQuestion[];
  /** A command the user typed that is not in the conversation yet. */
  shellLine?: { readonly id: string; readonly command: string };
  /** Tools and patterns the user allowed for the session. */
  grants: string[];
  backgroundTaskEvents: unknown[];
  backgroundJobGroupEvents: unknown[];
  memoryEvents: unknown[];
}

/** The state of a session without entries. */
export function emptySessionState(): SessionState {
  return {
    n: 0,
    sessionId: '',
    cwd: '',
    createdAt: 0,
    updatedAt: 0,
    epoch: 0,
    hasSystem: false,
    messages: [],
    timeline: [],
    prompts: [],
    files: [],
    notCovered: [],
    rewinds: [],
    compactions: [],
    pins: [],
    turn: null,
    calls: {},
    answers: 0,
    usage: {},
    questions: [],
    grants: [],
    backgroundTaskEvents: [],
    backgroundJobGroupEvents: [],
    memoryEvents: [],
  };
}
