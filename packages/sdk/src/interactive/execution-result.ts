import type { ContextWindowState, EndedBy, HistoryEntry } from '@robota-sdk/agent-core';
import type { ToolSummary, TurnUsage } from '@robota-sdk/agent-core/log';

/** The result of a turn. */
export interface ExecutionResult {
  /** The model's text; of an interrupted turn, as much as had arrived. */
  readonly response: string;
  /** The complete timeline: messages and events. */
  readonly history: readonly HistoryEntry[];
  readonly toolSummaries: readonly ToolSummary[];
  readonly contextState: ContextWindowState;
  readonly usage?: TurnUsage;
  /** `answer` means a complete answer; `max_tokens` and `refusal` say why it may be incomplete. */
  readonly endedBy: EndedBy;
}

/** How a `submit` ended. A failed turn is an outcome, never a rejection. */
export type SubmitOutcome =
  | { readonly status: 'completed' | 'interrupted'; readonly result: ExecutionResult }
  | { readonly status: 'failed'; readonly error: Error; readonly endedBy: EndedBy }
  /** Another prompt replaced it in the queue, or the queue was cleared. */
  | { readonly status: 'superseded' }
  | { readonly status: 'refused'; readonly reason: string };
