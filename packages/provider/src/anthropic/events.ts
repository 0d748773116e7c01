import { isRecord } from '../translate/tool-arguments.ts';
import type { UsageCounts } from '../translate/usage.ts';

/** Reads usage from `message_start`, while the reply is still streaming. */
export function readEarlyUsage(event: unknown): UsageCounts | undefined {
  if (!isRecord(event) || event.type !== 'message_start' || !isRecord(event.message)) {
    return undefined;
  }
  const { usage } = event.message;
  if (!isRecord(usage)) return undefined;
  const cacheReadTokens = Number(usage.cache_read_input_tokens ?? 0);
  const cacheWriteTokens = Number(usage.cache_creation_input_tokens ?? 0);
  return {
    inputTokens: Number(usage.input_tokens ?? 0) + cacheReadTokens + cacheWriteTokens,
    outputTokens: Number(usage.output_tokens ?? 0),
    ...(cacheReadTokens ? { cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
  };
}

const KNOWN_EVENTS = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'error',
  'ping',
]);

/** Anthropic may add event types and asks clients to skip unknown ones. */
export function isUnknownEvent(event: unknown): boolean {
  return isRecord(event) && typeof event.type === 'string' && !KNOWN_EVENTS.has(event.type);
}
