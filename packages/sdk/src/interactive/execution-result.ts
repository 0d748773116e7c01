import type { ContextWindowState, HistoryEntry } from '@robota-sdk/agent-core';
import type { TurnUsage } from './ledger.ts';
import type { ToolSummary } from './tool-state.ts';

/** What a turn came to. */
export interface ExecutionResult {
  readonly response: string;
  /** The whole timeline, chat and events. */
  readonly history: readonly HistoryEntry[];
  readonly toolSummaries: readonly ToolSummary[];
  readonly contextState: ContextWindowState;
  readonly usage?: TurnUsage;
}

/** How a `submit` ended. A failed turn is an outcome, never a rejection. */
export type SubmitOutcome =
  | { readonly status: 'completed' | 'interrupted'; readonly result: ExecutionResult }
  | { readonly status: 'failed'; readonly error: Error }
  /** Another prompt took its place in the queue, or the queue was emptied. */
  | { readonly status: 'superseded' }
  | { readonly status: 'refused'; readonly reason: string };
