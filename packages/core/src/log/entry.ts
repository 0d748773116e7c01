/**
 * One event of a session. Entries are numbered, appended to the log and then emitted, in this order; the whole state of
 * a session can be folded from them.
 */
export interface Entry {
  /** Increases with every line of the log; all deltas packed into one line share it. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
  /** Id of the subagent it belongs to; absent for the session itself. */
  readonly thread?: string | undefined;
  readonly [field: string]: unknown;
}

/** An entry as log readers return it. */
export interface SessionLogEntry {
  /** ISO 8601, UTC. */
  readonly timestamp: string;
  readonly sessionId: string;
  readonly event: string;
  /** Absent in entries that were not read from a log. */
  readonly n?: number;
  readonly time?: number;
  readonly [field: string]: unknown;
}

/** The fields of one entry, without number, time and event. */
export type EntryFields = Record<string, unknown>;

/** How a turn ended, with or without an answer. */
export type EndedBy = AnswerEnd | FailureEnd;
/** The turn has an answer. */
export type AnswerEnd = 'answer' | 'max_tokens' | 'refusal';
/** The turn has no answer. */
export type FailureEnd =
  | 'abort'
  | 'round_cap'
  | 'unknown_tools'
  | 'context_full'
  | 'empty_reply'
  | 'budget'
  | 'hook_stopped'
  | 'error';

/** Whether a turn that ended like this has an answer. */
export function isAnswer(endedBy: EndedBy): endedBy is AnswerEnd {
  return endedBy === 'answer' || endedBy === 'max_tokens' || endedBy === 'refusal';
}

/** Whether this version writes such entries; readers count and otherwise ignore all others. */
export function isKnownEvent(event: string): boolean {
  return KNOWN_EVENTS.has(event) || event.startsWith('background_') || event.startsWith('memory_');
}

const KNOWN_EVENTS: ReadonlySet<string> = new Set([
  'assistant',
  'assistant_message_committed',
  'compaction_failed',
  'compaction_request',
  'context',
  'context_compact',
  'error',
  'files_changed',
  'history_entry',
  'history_mutation',
  'hook',
  'log_gap',
  'model_changed',
  'notice',
  'permission_mode_changed',
  'permission_request',
  'permission_resolved',
  'pinned',
  'pre_run',
  'prompt',
  'prompt_blocked',
  'provider_native_raw_payload',
  'provider_request',
  'provider_response_normalized',
  'provider_response_raw',
  'provider_retry',
  'provider_stream_raw_delta',
  'provider_thinking_delta',
  'rewind_undone',
  'rewound',
  'server_tool',
  'session_init',
  'session_renamed',
  'session_restored',
  'session_resumed',
  'session_shutdown',
  'shell_line',
  'subagent_ended',
  'subagent_started',
  'subagent_usage',
  'text_delta',
  'tool_batch_started',
  'tool_blocked',
  'tool_call',
  'tool_denied',
  'tool_execution_request',
  'tool_execution_result',
  'tool_message_committed',
  'tool_result',
  'turn_end',
  'uncompacted',
  'unpinned',
  'user',
]);
