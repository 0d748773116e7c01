import {
  type AssistantMessage,
  type ChatOptions,
  createAssistantMessage,
  type Message,
  type Provider,
  type ProviderCapabilities,
} from '@robota-sdk/agent-core';
import { compose } from './compose.ts';
import { type StreamedReply, streamReply } from './stream-reply.ts';

/** Options of the demo provider. */
export interface DemoProviderOptions {
  /** Milliseconds between two words; by default a short delay on a terminal, none otherwise. */
  readonly wordDelayMs?: number | undefined;
}

const MODEL = 'demo';
const NO_WEB = { supported: false, enabled: false, reason: 'The demo works offline.' };

/** Works without network or key: a script, not an AI, that understands a few requests and uses real tools. */
export class DemoProvider implements Provider {
  readonly name = 'demo';
  readonly #wordDelayMs: number;

  constructor(options: DemoProviderOptions = {}) {
    this.#wordDelayMs = options.wordDelayMs ?? (process.stdout.isTTY ? 12 : 0);
  }

  async chat(messages: readonly Message[], options: ChatOptions = {}): Promise<AssistantMessage> {
    const tools = options.toolChoice === 'none' ? [] : (options.tools ?? []);
    report(options, 'request', {
      model: MODEL,
      messages: messages.length,
      tools: tools.map((tool) => tool.name),
    });
    const reply = compose(messages, tools);
    const sent = await streamReply(reply, options, this.#wordDelayMs);
    report(options, 'response', { text: sent.text, toolCalls: sent.toolCalls });
    return toMessage(sent, messages);
  }

  supportsTools(): boolean {
    return true;
  }

  validateConfig(): boolean {
    return true;
  }

  getCapabilities(): ProviderCapabilities {
    return {
      functionCalling: { supported: true },
      nativeWebTools: { webSearch: NO_WEB, webFetch: NO_WEB },
    };
  }
}

function report(options: ChatOptions, payloadKind: 'request' | 'response', payload: unknown): void {
  const sequence = payloadKind === 'request' ? 0 : 1;
  options.onProviderNativeRawPayload?.({
    provider: 'demo',
    apiSurface: 'demo',
    payloadKind,
    payload,
    sequence,
  });
}

function toMessage(sent: StreamedReply, messages: readonly Message[]): AssistantMessage {
  const { text, parts, toolCalls, isInterrupted } = sent;
  return createAssistantMessage(text, {
    state: isInterrupted ? 'interrupted' : 'complete',
    ...(parts.some((part) => part.type === 'thinking') ? { parts } : {}),
    ...(toolCalls.length > 0 ? { toolCalls } : {}),
    metadata: {
      inputTokens: countTokens(messages.map((message) => message.content ?? '').join('')),
      outputTokens: countTokens(text) + countTokens(JSON.stringify(toolCalls)),
      model: MODEL,
      provider: 'demo',
      stopReason: stopReason(sent),
    },
  });
}

function stopReason({ isInterrupted, toolCalls }: StreamedReply): string {
  if (isInterrupted) return 'aborted';
  return toolCalls.length > 0 ? 'tool_use' : 'end_turn';
}

/** Approximation: four characters per token. */
function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
