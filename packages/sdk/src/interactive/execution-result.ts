import type { ContextWindowState, EndedBy, HistoryEntry } from '@robota-sdk/agent-core';
import type { ToolSummary, TurnUsage } from '@robota-sdk/agent-core/log';

/** What a turn came to. */
export interface ExecutionResult {
  /** What the model said; of an interrupted turn, as much as had arrived. */
  readonly response: string;
  /** The whole timeline, chat and events. */
  readonly history: readonly HistoryEntry[];
  readonly toolSummaries: readonly ToolSummary[];
  readonly contextState: ContextWindowState;
  readonly usage?: TurnUsage;
  /** `answer` is a whole answer; `max_tokens` and `refusal` say why it may not be. */
  readonly endedBy: EndedBy;
}

/** How a `submit` ended. A failed turn is an outcome, never a rejection. */
export type SubmitOutcome =
  | { readonly status: 'completed' | 'interrupted'; readonly result: ExecutionResult }
  | { readonly status: 'failed'; readonly error: Error; readonly endedBy: EndedBy }
  /** Another prompt took its place in the queue, or the queue was emptied. */
  | { readonly status: 'superseded' }
  | { readonly status: 'refused'; readonly reason: string };
