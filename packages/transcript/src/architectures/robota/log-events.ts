/** The events our session log writes; others are counted as unknown. */
export function isLogEvent(event: string): boolean {
  return LOG_EVENTS.has(event) || event.startsWith('background_') || event.startsWith('memory_');
}

const LOG_EVENTS: ReadonlySet<string> = new Set([
  'assistant',
  'assistant_message_committed',
  'context',
  'context_compact',
  'error',
  'history_entry',
  'history_mutation',
  'hook',
  'pre_run',
  'provider_native_raw_payload',
  'provider_request',
  'provider_response_normalized',
  'provider_response_raw',
  'provider_retry',
  'provider_stream_raw_delta',
  'provider_thinking_delta',
  'server_tool',
  'session_init',
  'session_renamed',
  'session_shutdown',
  'text_delta',
  'tool_batch_started',
  'tool_blocked',
  'tool_call',
  'tool_denied',
  'tool_execution_request',
  'tool_execution_result',
  'tool_message_committed',
  'tool_result',
  'user',
]);
