import {
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { requestedCall } from './gemini-message.ts';
import type { LiveConversation } from './live-conversation.ts';

/** Translates the events of `gemini -o stream-json`. */
export class StreamJsonTranslation {
  readonly #live: LiveConversation;

  constructor(live: LiveConversation) {
    this.#live = live;
  }

  translate(event: JsonRecord): StreamEvent[] {
    const timestamp = asString(event.timestamp);
    switch (event.type) {
      case 'init':
        return this.#live.metadata(initMetadata(event));
      case 'message':
        return this.#message(event, timestamp);
      case 'tool_use':
        return this.#toolUse(event, timestamp);
      case 'tool_result':
        return this.#toolResult(event, timestamp);
      case 'error':
        return this.#error(event, timestamp);
      case 'result':
        return this.#result(event, timestamp);
      default:
        return [];
    }
  }

  #message(event: JsonRecord, timestamp: string | undefined): StreamEvent[] {
    const content = asString(event.content);
    if (content === undefined) return [];
    if (event.role === 'user')
      return this.#live.addBlock({ type: 'user_message', content }, timestamp);
    if (event.role !== 'assistant') return [];
    const text = this.#live.appendText(content, timestamp);
    return event.delta === true ? text : [...text, ...this.#live.closeText()];
  }

  #toolUse(event: JsonRecord, timestamp: string | undefined): StreamEvent[] {
    const id = asId(event.tool_id);
    if (id === undefined || this.#live.hasCall(id)) return [];
    const call = requestedCall(id, asString(event.tool_name) ?? 'unknown', event.parameters ?? {});
    const started = this.#live.startCall(call, { timestamp });
    return [...started, ...this.#live.setStatus(id, 'running')];
  }

  /** The event contains the displayed text; the full output is only in the transcript. */
  #toolResult(event: JsonRecord, timestamp: string | undefined): StreamEvent[] {
    const id = asId(event.tool_id);
    if (id === undefined) return [];
    const isError = event.status === 'error';
    const shown = event.output ?? '';
    const output = isError ? (asString(asRecord(event.error).message) ?? shown) : shown;
    return [...this.#live.closeText(), ...this.#live.answer(id, { output, isError, timestamp })];
  }

  #error(event: JsonRecord, timestamp: string | undefined): StreamEvent[] {
    const isWarning = event.severity === 'warning';
    const message = asString(event.message) ?? 'The program reported an error';
    const metadata = { level: isWarning ? 'warning' : 'error' };
    return this.#live.notice(isWarning ? 'status' : 'error', message, { timestamp, metadata });
  }

  #result(event: JsonRecord, timestamp: string | undefined): StreamEvent[] {
    const usage = isRecord(event.stats) ? { usage: statsUsage(event.stats) } : {};
    const totals = this.#live.metadata(usage);
    if (event.status !== 'error') return [...this.#live.closeText(), ...totals];
    const error = asRecord(event.error);
    const message = asString(error.message) ?? 'The turn failed';
    const metadata = compact({ level: 'error', type: asString(error.type) });
    return [...this.#live.notice('error', message, { timestamp, metadata }), ...totals];
  }
}

function initMetadata(event: JsonRecord): SessionMetadata {
  return compact({ sessionId: asString(event.session_id), model: asString(event.model) });
}

/** Totals of this run of the program; `input_tokens` includes cached tokens. */
function statsUsage(stats: JsonRecord): TokenUsage {
  const inputTokens = asNumber(stats.input_tokens) ?? 0;
  const outputTokens = asNumber(stats.output_tokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    cacheReadTokens: asNumber(stats.cached) ?? 0,
    totalTokens: asNumber(stats.total_tokens) ?? inputTokens + outputTokens,
  };
}
