import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import type { TokenUsage } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { sumUsage } from '../../token-usage.ts';
import { callOutputOf } from '../acp/acp-call.ts';
import { promptContent } from '../acp/prompt-parts.ts';
import { requestedCall } from './gemini-message.ts';
import type { LiveConversation } from './live-conversation.ts';
import { parseThought } from './message-parts.ts';
import { isProgramContext } from './read-message.ts';

/** Translates messages of `gemini --acp`, and the host's own requests, which contain the prompts. */
export class AcpTranslation {
  readonly #live: LiveConversation;
  /** Calls that wait for permission, by call id. A refused one is not reported again. */
  readonly #asked = new Map<string, string>();
  #usage: readonly TokenUsage[] = [];

  constructor(live: LiveConversation) {
    this.#live = live;
  }

  translate(event: JsonRecord): StreamEvent[] {
    const params = asRecord(event.params ?? event);
    switch (event.method) {
      case 'session/request_permission':
        return this.#permission(event.id, asRecord(params.toolCall));
      case 'session/prompt':
        return this.#prompt(asArray(params.prompt));
      case 'session/update':
      case undefined:
        break;
      default:
        return [];
    }
    if (isRecord(event.result)) return this.#response(event.id, event.result);
    if (isRecord(event.error)) return this.#failure(event.error);
    return this.#update(isRecord(params.update) ? params.update : params);
  }

  #update(update: JsonRecord): StreamEvent[] {
    const text = asString(asRecord(update.content).text) ?? '';
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return [...this.#refuseAsked(), ...this.#agentText(text)];
      case 'agent_thought_chunk':
        return [...this.#refuseAsked(), ...this.#thought(text)];
      case 'user_message_chunk':
        return this.#replayed(text);
      case 'tool_call':
        return this.#toolCall(update);
      case 'tool_call_update':
        return this.#toolUpdate(update);
      default:
        return [];
    }
  }

  #agentText(text: string): StreamEvent[] {
    const mode = /^\[MODE_UPDATE\] (\S+)/.exec(text)?.[1];
    return mode === undefined ? this.#live.appendText(text) : this.#live.metadata({ mode });
  }

  /** Every chunk is a complete thought. */
  #thought(text: string): StreamEvent[] {
    const { subject, description } = parseThought(text);
    const summary = subject === '' ? undefined : subject;
    return this.#live.addBlock(
      compact({ type: 'thinking' as const, content: description, summary }),
    );
  }

  /** `session/load` also replays program text as user messages. */
  #replayed(text: string): StreamEvent[] {
    const isOwn = text !== '' && !isProgramContext(text) && !text.startsWith('[Function Response:');
    return isOwn ? this.#live.addBlock({ type: 'user_message', content: text }) : [];
  }

  #prompt(parts: readonly unknown[]): StreamEvent[] {
    const content = promptContent(parts, (part) => asString(asRecord(part).text) ?? '');
    const closed = this.#live.closeText();
    if (content === undefined) return closed;
    return [...closed, ...this.#live.addBlock({ type: 'user_message', content })];
  }

  #toolCall(update: JsonRecord): StreamEvent[] {
    const id = asId(update.toolCallId);
    if (id === undefined) return [];
    const wasAsked = this.#asked.delete(id);
    const refused = this.#refuseAsked();
    const started = wasAsked || this.#live.hasCall(id) ? [] : this.#start(id, update);
    return [...refused, ...started, ...this.#toolUpdate(update)];
  }

  #toolUpdate(update: JsonRecord): StreamEvent[] {
    const id = asId(update.toolCallId);
    if (id === undefined) return [];
    const started = this.#live.hasCall(id) ? [] : this.#start(id, update);
    switch (update.status) {
      case 'in_progress':
        this.#asked.delete(id);
        return [...started, ...this.#live.setStatus(id, 'running')];
      case 'completed':
      case 'failed': {
        this.#asked.delete(id);
        const isError = update.status === 'failed';
        return [...started, ...this.#live.answer(id, { output: callOutputOf(update), isError })];
      }
      default:
        return started;
    }
  }

  /** The arguments are not reported; the title describes the call. */
  #start(id: string, update: JsonRecord, requestId?: unknown): StreamEvent[] {
    const title = asString(update.title);
    const call = requestedCall(id, toolNameOf(id) ?? title ?? 'unknown', update.rawInput);
    const metadata = compact({
      kind: asString(update.kind),
      locations:
        Array.isArray(update.locations) && update.locations.length > 0
          ? update.locations
          : undefined,
      permissionRequestId: requestId,
    });
    return this.#live.startCall({ ...call, description: title }, { metadata });
  }

  #permission(requestId: unknown, toolCall: JsonRecord): StreamEvent[] {
    const id = asId(toolCall.toolCallId);
    if (id === undefined) return [];
    const refused = this.#refuseAsked();
    this.#asked.set(id, String(requestId));
    const isKnown = this.#live.hasCall(id);
    return [
      ...refused,
      ...(isKnown ? this.#live.setStatus(id, 'pending') : this.#start(id, toolCall, requestId)),
    ];
  }

  /** Tools run in sequence, so any other message means that a waiting call was refused. */
  #refuseAsked(): StreamEvent[] {
    const ids = [...this.#asked.keys()];
    this.#asked.clear();
    return ids.flatMap((id) => this.#live.answer(id, { output: undefined, isError: true }));
  }

  #response(id: unknown, result: JsonRecord): StreamEvent[] {
    if (isRecord(result.outcome)) return this.#decision(String(id), result.outcome);
    if (result.stopReason !== undefined) return this.#turnEnd(result);
    const model = asString(asRecord(result.models).currentModelId);
    return this.#live.metadata(compact({ sessionId: asString(result.sessionId), model }));
  }

  /** The host's answer to a permission request. */
  #decision(requestId: string, { outcome, optionId }: JsonRecord): StreamEvent[] {
    const [callId] = [...this.#asked].find(([, asked]) => asked === requestId) ?? [];
    if (callId === undefined) return [];
    this.#asked.delete(callId);
    const isAllowed = outcome === 'selected' && /^proceed|^allow/.test(asString(optionId) ?? '');
    if (isAllowed) return this.#live.setStatus(callId, 'running');
    return this.#live.answer(callId, { output: undefined, isError: true });
  }

  #turnEnd(result: JsonRecord): StreamEvent[] {
    const tokens = asRecord(asRecord(asRecord(result._meta).quota).token_count);
    const inputTokens = asNumber(tokens.input_tokens) ?? 0;
    const outputTokens = asNumber(tokens.output_tokens) ?? 0;
    this.#usage = [
      ...this.#usage,
      { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens },
    ];
    const totals = this.#live.metadata({ usage: sumUsage(this.#usage) });
    return [...this.#refuseAsked(), ...this.#live.closeText(), ...totals];
  }

  #failure(error: JsonRecord): StreamEvent[] {
    const message = asString(error.message) ?? 'The request failed';
    const metadata = compact({ level: 'error', code: asNumber(error.code) });
    return [...this.#refuseAsked(), ...this.#live.notice('error', message, { metadata })];
  }
}

/** `read_file__read_file_1794789852090_0`, `read_file_1794778398264_0`, `read_file-1764000000000-1a2b`. */
function toolNameOf(callId: string): string | undefined {
  return /^(.+?)(?:__.+)?[_-]\d{10,}[_-][0-9a-f]+$/.exec(callId)?.[1];
}
