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
import type { Exchange, RecordedEvent } from './exchange.ts';
import { findMismatch } from './find-mismatch.ts';
import { readExchanges } from './read-exchanges.ts';

/** Options of the replay provider. */
export interface ReplayProviderOptions {
  /** The entries of a session log, references resolved. */
  readonly entries: readonly SessionLogEntry[];
}

const NO_WEB = { supported: false, enabled: false, reason: 'A recording cannot search.' };

/** Replays the recorded reply to every request, offline, with the same stream events. */
export class ReplayProvider implements Provider {
  readonly name = 'replay';
  readonly #exchanges: readonly Exchange[];
  #next = 0;

  constructor({ entries }: ReplayProviderOptions) {
    this.#exchanges = readExchanges(entries);
  }

  /** Recorded requests that have not been replayed yet. */
  get remaining(): number {
    return this.#exchanges.length - this.#next;
  }

  async chat(messages: readonly Message[], options: ChatOptions = {}): Promise<AssistantMessage> {
    const exchange = this.#expect(messages);
    this.#next++;
    const text = await replayEvents(exchange, options);
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
    const mismatch = findMismatch(exchange.messages, messages);
    if (!mismatch) return exchange;
    throw refusal(
      `The conversation differs from the recording at request ${exchange.number}: recorded ${mismatch.recorded}, received ${mismatch.given}`,
    );
  }
}

function refusal(reason: string): ProviderError {
  return new ProviderError(
    `${reason}. A replay answers only what was recorded; use a real provider to continue.`,
    {
      provider: 'replay',
      kind: 'invalid_request',
      isRetryable: false,
    },
  );
}

/** Returns the text streamed until the end or the abort. */
async function replayEvents(exchange: Exchange, options: ChatOptions): Promise<string> {
  let text = '';
  for (const event of exchange.events) {
    await nextTick();
    if (options.signal?.aborted) break;
    if (event.kind === 'text') text += event.delta;
    emit(event, options);
  }
  return text;
}

function emit(event: RecordedEvent, options: ChatOptions): void {
  switch (event.kind) {
    case 'text':
      options.onTextDelta?.(event.delta);
      break;
    case 'thinking':
      options.onThinkingDelta?.(event.delta);
      break;
    case 'raw':
      options.onProviderNativeRawPayload?.(event.payload);
      break;
    case 'server_tool':
      options.onServerToolUse?.(event.name, event.input);
  }
}

/** A recording without deltas emits its text in one delta. */
function answerOf(exchange: Exchange, options: ChatOptions, streamed: string): AssistantMessage {
  const { response } = exchange;
  if (!response) {
    throw refusal(`The recording has no reply to request ${exchange.number}: that run failed`);
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
