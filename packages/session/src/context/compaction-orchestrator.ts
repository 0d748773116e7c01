import {
  createAssistantMessage,
  createUserMessage,
  type Message,
  type Provider,
} from '@robota-sdk/agent-core';
import { type LifecycleHooks, noHooks } from '../lifecycle-hooks.ts';
import { buildCompactionPrompt } from './compaction-prompt.ts';

/** Whether the user asked for a compaction or the window was full. */
export type CompactionTrigger = 'manual' | 'auto';

export interface CompactionOptions {
  readonly getProvider: () => Provider;
  readonly getModel?: (() => string) | undefined;
  /** The window the prompt has to fit into; 200,000 when left out. */
  readonly getMaxTokens?: (() => number) | undefined;
  readonly hooks?: LifecycleHooks | undefined;
  /** Default instructions for summaries. */
  readonly compactInstructions?: string | undefined;
  /** Facts appended verbatim to every summary. */
  readonly getPins?: (() => readonly string[]) | undefined;
  /** Sends the request; without it the provider is called directly. */
  readonly ask?:
    | ((messages: readonly Message[], signal?: AbortSignal) => Promise<Message>)
    | undefined;
}

export interface CompactionRequest {
  readonly trigger: CompactionTrigger;
  readonly instructions?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

const SUMMARY_MARK = '[Context Summary]';
/** Share of the window for the prompt; the rest is for the answer and for estimation errors. */
const PROMPT_SHARE = 0.6;
const CHARACTERS_PER_TOKEN = 4;
const DEFAULT_WINDOW = 200_000;

/** Lets the model summarize a conversation. It changes no history itself, so a failure has no effect. */
export class CompactionOrchestrator {
  readonly #options: CompactionOptions;
  readonly #hooks: LifecycleHooks;

  constructor(options: CompactionOptions) {
    this.#options = options;
    this.#hooks = options.hooks ?? noHooks();
  }

  /** The summary; null when there is nothing new to summarize or a hook objects. */
  async compact(
    messages: readonly Message[],
    request: CompactionRequest = { trigger: 'manual' },
  ): Promise<string | null> {
    const conversation = messages.filter((message) => message.role !== 'system');
    if (!hasSomethingNew(conversation)) return null;
    const { trigger, signal } = request;
    const instructions = request.instructions ?? this.#options.compactInstructions;
    const before = await this.#hooks.fire(
      'PreCompact',
      { trigger, ...(instructions && { custom_instructions: instructions }) },
      signal,
    );
    if (before.blocked) return null;
    const extra = before.additionalContext ?? before.stdout;
    const focus = [instructions, extra].filter(Boolean).join('\n');
    return await this.#summarize(conversation, focus, signal);
  }

  async #summarize(
    messages: readonly Message[],
    instructions: string,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const maxCharacters =
      (this.#options.getMaxTokens?.() ?? DEFAULT_WINDOW) * CHARACTERS_PER_TOKEN * PROMPT_SHARE;
    const prompt = buildCompactionPrompt(messages, { instructions, maxCharacters });
    throwIfAborted(signal);
    const question = [createUserMessage(prompt)];
    const { ask = this.#askProvider } = this.#options;
    const reply = await ask(question, signal);
    throwIfAborted(signal);
    const summary = typeof reply.content === 'string' ? reply.content.trim() : '';
    if (summary === '' || reply.state === 'interrupted') {
      throw new Error(
        'Cannot compact the conversation: the model gave no summary. Nothing was changed; try again.',
      );
    }
    return withPins(summary, this.#options.getPins?.() ?? []);
  }

  readonly #askProvider = (
    messages: readonly Message[],
    signal?: AbortSignal,
  ): Promise<Message> => {
    const { getProvider, getModel } = this.#options;
    return getProvider().chat(messages, { model: getModel?.() || undefined, signal });
  };
}

/** Added here instead of by the model, so that pinned facts survive every summary. */
function withPins(summary: string, pins: readonly string[]): string {
  if (pins.length === 0) return summary;
  return `${summary}\n\n${pinnedText(pins)}`;
}

/** Pinned facts as text for the model. */
export function pinnedText(pins: readonly string[]): string {
  return ['Pinned by the user, valid until unpinned:', ...pins.map((pin) => `- ${pin}`)].join('\n');
}

export function summaryMessage(summary: string): Message {
  return createAssistantMessage(`${SUMMARY_MARK}\n${summary}`);
}

function isSummary(message: Message | undefined): boolean {
  return message?.role === 'assistant' && message.content?.startsWith(SUMMARY_MARK) === true;
}

function hasSomethingNew(conversation: readonly Message[]): boolean {
  return conversation.length > 1 || (conversation.length === 1 && !isSummary(conversation[0]));
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new DOMException('Aborted', 'AbortError');
}
