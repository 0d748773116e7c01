import type { ContextWindowState } from '../context/context-window-state.ts';
import type { TokenUsage } from '../context/usage.ts';
import type { HistoryEntry } from '../messages/history-entry.ts';
import type { Message } from '../messages/message.ts';
import type { EndedBy } from './entry.ts';
import type { FileChange, Rewind } from './file-change.ts';
import type { ToolResultFields, ToolState } from './tool-state.ts';

/** Why a model was asked. */
export type UsageCause = 'main' | 'subagent' | 'compaction' | 'retry';

/** What one model was asked, and what it read and wrote for that. */
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

/** A question that nobody has answered yet. */
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
  /** The number of its prompt. */
  readonly n: number;
  /** True once its `user` entry followed. */
  isSent: boolean;
  /** Set in logs of version 0.1, which do not say when a turn ends. */
  isOld?: boolean;
  /** Everything said in it so far, new paragraphs after tools. */
  text: string;
  isNewParagraph: boolean;
  tools: ToolState[];
  readonly finished: ToolState[];
  usage?: TokenUsage;
  /** The final reply, shown in the timeline when the turn ends. */
  reply?: HistoryEntry;
  /** What streams in and is not part of the conversation yet. */
  round?: OpenRound | undefined;
}

interface OpenRound {
  readonly executionId: string;
  readonly round: number;
  text: string;
  thinking: string;
}

/** A tool call without a result in the conversation yet. */
export interface OpenCall {
  readonly toolName: string;
  readonly parameters: unknown;
  /** True once it may have run. */
  hasStarted: boolean;
  result?: ToolResultFields & { readonly time: number };
}

/** Where a prompt stands, by the id of its message. */
export interface PlacedPrompt {
  readonly id: string;
  /** Among the messages; -1 where a summary stands for it. */
  readonly index: number;
  readonly timeline: number;
  /** How many changes of files there were before it. */
  readonly files: number;
}

/** What a rewind took out of the conversation. */
export interface TakenPart {
  /** How many messages were left. */
  readonly kept: number;
  readonly messages: readonly Message[];
  readonly timeline: readonly HistoryEntry[];
  readonly prompts: readonly PlacedPrompt[];
  readonly compactions: readonly Compaction[];
}

/** Where in the log the conversation was compacted, with the id of the summary. */
interface Compaction {
  readonly n: number;
  readonly summaryId?: string;
}

/** A stretch of the conversation that was taken back. */
export interface TakenBack extends Rewind {
  taken?: TakenPart;
}

/** Everything a session is, as plain data: what a checkpoint keeps and what all readers see. */
export interface SessionState {
  /** The last entry it holds. */
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
  /** What tools and rewinds did to files, the latest last. */
  files: FileChange[];
  /** What may have changed without being known, with how many changes of files there were before. */
  notCovered: { readonly files: number; readonly what: string }[];
  /** Rewinds that can be undone, the latest last. */
  rewinds: TakenBack[];
  /** A rewind or an undo is in the log whose change of the conversation is not yet. */
  rewinding?:
    | { readonly kind: 'rewind'; readonly to: string }
    | { readonly kind: 'undo'; readonly taken: TakenPart };
  /** Compactions that can be taken back, the latest last. */
  compactions: readonly Compaction[];
  /** Facts that every summary repeats word for word. */
  pins: string[];
  turn: OpenTurn | null;
  /** Calls that were asked for and are not answered in the conversation yet. */
  calls: Record<string, OpenCall>;
  lastTurn?: TurnEnd;
  /** Turns that came to an answer. */
  answers: number;
  usage: Record<string, ModelTally>;
  /** The request that is being answered. */
  asked?: { readonly round: string; readonly cause: UsageCause } | undefined;
  questions: PendingQuestion[];
  /** A command that a person typed and that is not part of the conversation yet. */
  shellLine?: { readonly id: string; readonly command: string };
  /** Tools and patterns that a person allowed for the session. */
  grants: string[];
  backgroundTaskEvents: unknown[];
  backgroundJobGroupEvents: unknown[];
  memoryEvents: unknown[];
}

/** A session in which nothing has happened. */
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
