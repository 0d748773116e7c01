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
import type { StreamTranslator } from '../../stream-translator.ts';
import { sumUsage } from '../../token-usage.ts';
import { AcpConversation } from './conversation.ts';
import { promptContent } from './prompt-parts.ts';

/**
 * Translates the messages of an ACP agent, and the host's own prompts, which the
 * agent does not repeat. The protocol has no timestamps, so `now` supplies them. `spent` is the usage of earlier runs of the session.
 */
export function createAcpStreamTranslator(
  now: () => string = () => new Date().toISOString(),
  spent?: TokenUsage,
): StreamTranslator {
  const translation = new AcpTranslation(new AcpConversation(now), spent);
  return {
    translate: (native) => (isRecord(native) ? translation.translate(native) : []),
    end: () => translation.end(),
  };
}

class AcpTranslation {
  readonly #conversation: AcpConversation;
  #totalUsage: TokenUsage | undefined;

  constructor(conversation: AcpConversation, spent: TokenUsage | undefined) {
    this.#conversation = conversation;
    this.#totalUsage = spent;
  }

  translate(message: JsonRecord): StreamEvent[] {
    const params = asRecord(message.params);
    switch (message.method) {
      case 'session/update':
        return this.#update(asRecord(params.update));
      case 'session/prompt':
        return this.#prompt(asArray(params.prompt));
      case 'session/request_permission':
        return this.#permission(asRecord(params.toolCall));
      case undefined:
        return this.#response(message);
      default:
        return [];
    }
  }

  end(): StreamEvent[] {
    return this.#conversation.endTurn();
  }

  #update(update: JsonRecord): StreamEvent[] {
    const live = this.#conversation;
    const piece = { text: textOf(update.content), messageId: asId(update.messageId) };
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        return live.appendText('assistant_text', piece);
      case 'agent_thought_chunk':
        return live.appendText('thinking', piece);
      case 'tool_call':
      case 'tool_call_update': {
        const callId = asId(update.toolCallId);
        return callId === undefined ? [] : live.updateCall(callId, update);
      }
      case 'plan':
        return live.plan(asArray(update.entries).map(planStep));
      case 'notice':
        return live.notice(...noticeOf(update));
      case 'compaction_update':
        return update.status === 'completed'
          ? live.notice('status', 'The conversation was compacted.')
          : [];
      default:
        return live.metadata(factsOf(update));
    }
  }

  #prompt(parts: readonly unknown[]): StreamEvent[] {
    const content = promptContent(parts, textOf);
    if (content === undefined) return [];
    return this.#conversation.addBlock({ type: 'user_message', content });
  }

  #permission(call: JsonRecord): StreamEvent[] {
    const callId = asId(call.toolCallId);
    return callId === undefined ? [] : this.#conversation.awaitAnswer(callId, call);
  }

  #response({ result, error }: JsonRecord): StreamEvent[] {
    if (isRecord(error)) {
      return this.#conversation.notice('error', asString(error.message) ?? 'The request failed');
    }
    const { stopReason, usage, sessionId, configOptions, models, modes } = asRecord(result);
    if (stopReason !== undefined) {
      const settled = stopReason === 'cancelled' ? [] : this.#conversation.settleCalls();
      return [...this.#conversation.closeText(), ...settled, ...this.#usage(usage)];
    }
    const facts = factsOf({ configOptions, models, ...asRecord(modes) });
    return this.#conversation.metadata(compact({ sessionId: asId(sessionId), ...facts }));
  }

  /** Some agents report usage at the end of a turn. */
  #usage(reported: unknown): StreamEvent[] {
    const { inputTokens, outputTokens, totalTokens, cachedReadTokens, cachedWriteTokens } =
      asRecord(reported);
    const input = asNumber(inputTokens);
    const output = asNumber(outputTokens);
    if (input === undefined || output === undefined) return [];
    const usage: TokenUsage = compact({
      inputTokens: input,
      outputTokens: output,
      cacheReadTokens: asNumber(cachedReadTokens),
      cacheWriteTokens: asNumber(cachedWriteTokens),
      totalTokens: asNumber(totalTokens) ?? input + output,
    });
    const before = this.#totalUsage === undefined ? [] : [this.#totalUsage];
    this.#totalUsage = sumUsage([...before, usage]);
    return this.#conversation.metadata({ usage: this.#totalUsage });
  }
}

/** Session metadata: model, mode, title, commands, context size and cost. */
function factsOf(update: JsonRecord): JsonRecord {
  const { cost, availableCommands } = update;
  const { amount, currency } = asRecord(cost);
  const options = asArray(update.configOptions).map(asRecord);
  const current = (category: string) =>
    asString(options.find((option) => option.category === category)?.currentValue);
  return compact({
    model: current('model') ?? asString(asRecord(update.models).currentModelId),
    mode: asString(update.currentModeId) ?? current('mode'),
    title: asString(update.title),
    commands: Array.isArray(availableCommands) ? availableCommands.map(commandOf) : undefined,
    contextTokens: asNumber(update.used),
    contextWindow: asNumber(update.size),
    costUSD: currency === 'USD' ? asNumber(amount) : undefined,
  });
}

function commandOf(command: unknown) {
  const { name, description } = asRecord(command);
  return { name: asString(name) ?? '', description: asString(description) ?? '' };
}

function planStep(entry: unknown): JsonRecord {
  const { content, status, priority } = asRecord(entry);
  return compact({
    step: asString(content) ?? '',
    status: asString(status) ?? 'pending',
    priority: asString(priority),
  });
}

function noticeOf({ severity, title, description }: JsonRecord): ['error' | 'status', string] {
  const texts = [title, description].map(asString).filter((text) => text);
  return [severity === 'error' ? 'error' : 'status', texts.join(': ')];
}

/** The text of a content part; images and audio are represented by their type. */
function textOf(content: unknown): string {
  const { type, text, uri, name, resource } = asRecord(content);
  const { text: inside, uri: place } = asRecord(resource);
  const texts = [text, inside, uri, name, place].map(asString).find((each) => each !== undefined);
  if (texts !== undefined) return texts;
  return type === 'image' || type === 'audio' ? `[${type}]` : '';
}
