import { isRecord, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { LiveConversation } from './live-conversation.ts';
import { AcpTranslation } from './translate-acp.ts';
import { StreamJsonTranslation } from './translate-stream-json.ts';

/**
 * Translates the live output of Gemini CLI, `-o stream-json` or `--acp`, detected by the shape of each event.
 * `now` supplies missing timestamps; ACP has none.
 */
export function createGeminiStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  const live = new LiveConversation(now);
  const streamJson = new StreamJsonTranslation(live);
  const acp = new AcpTranslation(live);
  return {
    translate(nativeEvent: unknown): StreamEvent[] {
      if (!isRecord(nativeEvent)) return [];
      return isAcp(nativeEvent) ? acp.translate(nativeEvent) : streamJson.translate(nativeEvent);
    },
    end: () => live.end(),
  };
}

/** A JSON-RPC message, or the params of one. */
function isAcp(event: JsonRecord): boolean {
  return (
    event.jsonrpc !== undefined ||
    typeof event.method === 'string' ||
    'sessionUpdate' in event ||
    'update' in event
  );
}
