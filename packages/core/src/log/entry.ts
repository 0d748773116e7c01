/**
 * One thing that happened in a session. Entries are appended, numbered and then told, in this order; everything
 * a session is can be folded from them again.
 */
export interface Entry {
  /** Rises with every line of the log; the pieces of one line of deltas share it. */
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly event: string;
  /** The subagent it happened to; absent for the session itself. */
  readonly thread?: string | undefined;
  readonly [field: string]: unknown;
}

/** An entry as readers of a log hand it out: what happened, when, in which session. */
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

/** The fields of one entry, without its head. */
export type EntryFields = Record<string, unknown>;

/** How a turn ended: the first three are answers, after the others there is none. */
export type EndedBy = AnswerEnd | FailureEnd;
/** Ends after which there is an answer. */
export type AnswerEnd = 'answer' | 'max_tokens' | 'refusal';
/** Ends after which there is none. */
export type FailureEnd =
  | 'abort'
  | 'round_cap'
  | 'unknown_tools'
  | 'context_full'
  | 'empty_reply'
  | 'budget'
  | 'hook_stopped'
  | 'error';

/** True where a turn that ended so has an answer. */
export function isAnswer(endedBy: EndedBy): endedBy is AnswerEnd {
  return endedBy === 'answer' || endedBy === 'max_tokens' || endedBy === 'refusal';
}

/** Every kind of entry that we write; others are counted as unknown and otherwise ignored. */
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
