import { setImmediate as nextTick } from 'node:timers/promises';
import {
  type AssistantMessage,
  type ChatOptions,
  createAssistantMessage,
  type Message,
  type Provider,
  type ProviderCapabilities,
  ProviderError,
  type SessionLogEntry,
} from '@robota-sdk/agent-core';
import type { Exchange, Happening } from './exchange.ts';
import { findDeparture } from './find-departure.ts';
import { readExchanges } from './read-exchanges.ts';

/** Where the recording is and how it is played. */
export interface ReplayProviderOptions {
  /** The entries of a session log, references resolved. */
  readonly entries: readonly SessionLogEntry[];
}

const NO_WEB = { supported: false, enabled: false, reason: 'A recording searches nothing.' };

/** Answers every request as it was answered when the session was recorded, offline, in the same pieces. */
export class ReplayProvider implements Provider {
  readonly name = 'replay';
  readonly #exchanges: readonly Exchange[];
  #next = 0;

  constructor({ entries }: ReplayProviderOptions) {
    this.#exchanges = readExchanges(entries);
  }

  /** Requests of the recording that have not been asked for yet. */
  get remaining(): number {
    return this.#exchanges.length - this.#next;
  }

  async chat(messages: readonly Message[], options: ChatOptions = {}): Promise<AssistantMessage> {
    const exchange = this.#expect(messages);
    this.#next++;
    const text = await replayHappenings(exchange, options);
    if (options.signal?.aborted) return interrupted(text, exchange);
    return answerOf(exchange, options, text);
  }

  supportsTools(): boolean {
    return true;
  }

  validateConfig(): boolean {
    return this.#exchanges.length > 0;
  }

  getCapabilities(): ProviderCapabilities {
    return {
      functionCalling: { supported: true },
      nativeWebTools: { webSearch: NO_WEB, webFetch: NO_WEB },
    };
  }

  #expect(messages: readonly Message[]): Exchange {
    const exchange = this.#exchanges[this.#next];
    if (!exchange) {
      const count = this.#exchanges.length;
      throw refusal(`The recording ends after ${count} ${count === 1 ? 'request' : 'requests'}`);
    }
    const departure = findDeparture(exchange.messages, messages);
    if (!departure) return exchange;
    throw refusal(
      `The conversation departs from the recording at request ${exchange.number}: recorded was ${departure.recorded}, now it is ${departure.given}`,
    );
  }
}

function refusal(reason: string): ProviderError {
  return new ProviderError(
    `${reason}. A replay answers only what was recorded; use a real provider to go on.`,
    {
      provider: 'replay',
      kind: 'invalid_request',
      isRetryable: false,
    },
  );
}

/** Returns the text that was streamed until the end or the abort. */
async function replayHappenings(exchange: Exchange, options: ChatOptions): Promise<string> {
  let text = '';
  for (const happening of exchange.happenings) {
    await nextTick();
    if (options.signal?.aborted) break;
    if (happening.kind === 'text') text += happening.delta;
    tell(happening, options);
  }
  return text;
}

function tell(happening: Happening, options: ChatOptions): void {
  switch (happening.kind) {
    case 'text':
      options.onTextDelta?.(happening.delta);
      break;
    case 'thinking':
      options.onThinkingDelta?.(happening.delta);
      break;
    case 'raw':
      options.onProviderNativeRawPayload?.(happening.payload);
      break;
    case 'server_tool':
      options.onServerToolUse?.(happening.name, happening.input);
  }
}

/** A recording without deltas still shows its text, in one piece. */
function answerOf(exchange: Exchange, options: ChatOptions, streamed: string): AssistantMessage {
  const { response } = exchange;
  if (!response) {
    throw refusal(`The recording holds no answer to request ${exchange.number}: that run failed`);
  }
  if (streamed === '' && response.content) options.onTextDelta?.(response.content);
  for (const { id, function: called } of response.toolCalls ?? []) {
    options.onToolCallDelta?.({ id, name: called.name, argumentsDelta: called.arguments });
  }
  return { ...response, timestamp: new Date(response.timestamp) };
}

function interrupted(text: string, exchange: Exchange): AssistantMessage {
  return createAssistantMessage(text, {
    state: 'interrupted',
    metadata: { model: exchange.model, provider: 'replay', stopReason: 'aborted' },
  });
}
