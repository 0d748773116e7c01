import { randomUUID } from 'node:crypto';
import { type ContextEstimate, type EstimateOptions, withStaleUsage } from '../context/estimate.ts';
import { RequestView } from '../conversation/request-view.ts';
import type { HistoryMutationEvent } from '../engine-event.ts';
import type { FailureEnd } from '../log/entry.ts';
import type { HistoryEntry } from '../messages/history-entry.ts';
import {
  type AssistantMessage,
  createUserMessage,
  type Message,
  type MessageRole,
} from '../messages/message.ts';
import type { Provider } from '../provider.ts';
import { askOutsideConversation } from '../run/ask-provider.ts';
import { EventDispatcher } from '../run/event-dispatcher.ts';
import { appendMessage, type Run, type RunLimits } from '../run/run.ts';
import { runRounds } from '../run/run-rounds.ts';
import { ToolRegistry } from '../run/tool-registry.ts';
import type { Tool } from '../tool.ts';
import { AgentBusyError } from './agent-busy-error.ts';
import type { AgentConfig, AsideOptions, Prompt, RunOptions, RunResult } from './agent-config.ts';
import { History } from './history.ts';
import { type InjectedMessageFields, messageFromOutside } from './message-from-outside.ts';
import { checkMaxRounds, checkProvider, resolveRunLimits } from './run-limits.ts';

/**
 * A model with history and tools. After `run` settles, on every path, each tool call in history has exactly one result
 * right after its message. Only one `run` at a time; a second one is rejected.
 */
export class Agent {
  readonly name: string;
  readonly #config: AgentConfig;
  readonly #limits: RunLimits;
  readonly #history: History;
  readonly #view: RequestView;
  /** Emits events between runs; a listener's error fails the next run. */
  readonly #ownEvents: EventDispatcher;
  readonly #conversationId: string;
  /** Messages injected during a round; they are added when the round ends. */
  readonly #held: Message[] = [];
  #run: Run | undefined;
  #phase: 'idle' | 'boundary' | 'busy' = 'idle';
  #provider: Provider;
  #model: string;
  #tools: ToolRegistry;

  constructor(config: AgentConfig) {
    this.#limits = resolveRunLimits(config);
    this.#tools = new ToolRegistry(config.tools ?? []);
    this.#config = config;
    this.name = config.name ?? 'agent';
    this.#provider = config.provider;
    this.#model = config.model ?? config.defaultModel?.model ?? '';
    this.#conversationId = config.sessionId ?? randomUUID();
    this.#ownEvents = new EventDispatcher([config.onEvent]);
    const systemMessage = config.systemMessage ?? config.defaultModel?.systemMessage;
    this.#history = new History(systemMessage, (event) => this.#report(event));
    this.#view = new RequestView(this.#history.conversation);
  }

  /** Resolves with `interrupted` after an abort; rejects when the provider or a listener failed. */
  async run(prompt: Prompt, options: RunOptions = {}): Promise<RunResult> {
    if (this.#phase !== 'idle') throw new AgentBusyError('run a prompt');
    checkMaxRounds(options.maxExecutionRounds);
    const message = userMessage(prompt);
    this.#phase = 'busy';
    try {
      await this.#ownEvents.settle();
      this.#run = this.#startRun(options);
      this.#history.announceSystemMessage();
      this.#history.settle();
      await appendMessage(this.#run, message);
      const result = await runRounds(this.#run);
      await this.#run.events.settle();
      return result;
    } finally {
      this.#phase = 'idle';
      this.#injectHeld();
      this.#run = undefined;
    }
  }

  /** Asks the model outside the conversation; rejects with an AbortError when aborted. */
  async ask(messages: readonly Message[], options: AsideOptions): Promise<AssistantMessage> {
    const run = this.#startRun({ signal: options.signal });
    const reply = await askOutsideConversation(run, { messages, cause: options.cause });
    await run.events.settle();
    if (reply === null || run.signal.aborted) throw new DOMException('Aborted', 'AbortError');
    return reply;
  }

  isRunning(): boolean {
    return this.#phase !== 'idle';
  }

  /** A copy of the messages, the system message first. */
  getHistory(): Message[] {
    return this.#history.conversation.messages.slice();
  }

  /** A copy of the timeline: messages without the system message, and events. */
  getFullHistory(): HistoryEntry[] {
    return this.#history.conversation.timeline.slice();
  }

  addHistoryEntry(entry: HistoryEntry): void {
    if (entry.category === 'chat') this.#refuseDuringRound('add to the history');
    this.#history.addEntry(entry);
  }

  /** During a run the message is added when every tool call of the round has its result. */
  injectMessage(role: MessageRole, content: string, fields?: InjectedMessageFields): void {
    const message = messageFromOutside(role, content, fields);
    if (this.#phase === 'busy') this.#held.push(message);
    else this.#history.inject(message);
  }

  /** Replaces the history with a saved conversation, tool calls and thinking included, and repairs it if needed. */
  restoreMessages(messages: readonly Message[]): void {
    this.#refuseDuringRound('restore messages');
    this.#history.replace(messages, 'restore');
  }

  /** Continues a conversation that listeners already know, system message included: nothing is reported. */
  adoptMessages(messages: readonly Message[]): void {
    this.#refuseDuringRound('adopt messages');
    this.#history.adopt(messages);
  }

  /** Reports the system message now instead of with the first run. */
  announceSystemMessage(): void {
    this.#history.announceSystemMessage();
  }

  /** Keeps the system message. */
  clearHistory(): void {
    this.#refuseDuringRound('clear the history');
    this.#history.clear();
  }

  /** For compaction: the usage recorded in kept messages no longer tells how full the context is. */
  replaceHistory(messages: readonly Message[], reason: string): void {
    this.#refuseDuringRound('replace the history');
    this.#history.replace(messages.map(withStaleUsage), reason);
  }

  /** Keeps the first `length` messages, including the system message. */
  truncateHistory(length: number): void {
    this.#refuseDuringRound('truncate the history');
    this.#history.truncate(length);
  }

  setModel(model: string): void {
    this.#model = model;
  }

  getModel(): string {
    return this.#model;
  }

  setProvider(provider: Provider): void {
    checkProvider(provider);
    this.#provider = provider;
  }

  getProvider(): Provider {
    return this.#provider;
  }

  setSystemMessage(text: string | null): void {
    this.#history.setSystemMessage(text);
  }

  getSystemMessage(): string | null {
    return this.#history.conversation.systemMessage?.content ?? null;
  }

  getTools(): readonly Tool[] {
    return this.#tools.tools;
  }

  setTools(tools: readonly Tool[]): void {
    this.#tools = new ToolRegistry(tools);
  }

  /** Takes constant time, however long the history is. */
  getContextEstimate(options: EstimateOptions = {}): ContextEstimate {
    return this.#history.conversation.estimate(options.usageFloorTokens);
  }

  #startRun(options: RunOptions): Run {
    const agent = this;
    const fallbacks = [...this.#limits.fallbackModels];
    let fallback: string | undefined;
    const maxRounds = options.maxExecutionRounds ?? this.#limits.maxRounds;
    return {
      scope: { executionId: randomUUID(), conversationId: this.#conversationId },
      conversation: this.#history.conversation,
      view: this.#view,
      events: new EventDispatcher([this.#config.onEvent, options.onEvent]),
      signal: options.signal ?? new AbortController().signal,
      options,
      limits: { ...this.#limits, maxRounds },
      get provider() {
        return agent.#provider;
      },
      get model() {
        return fallback ?? agent.#model;
      },
      get tools() {
        return agent.#tools;
      },
      atBoundary: (round) => this.#atBoundary(round, options),
      fallBack: () => {
        const next = fallbacks.shift();
        fallback = next ?? fallback;
        return next;
      },
    };
  }

  async #atBoundary(round: number, options: RunOptions): Promise<FailureEnd | undefined> {
    this.#phase = 'boundary';
    try {
      this.#injectHeld();
      const isAborted = options.signal?.aborted === true;
      const end = isAborted ? undefined : await options.beforeRound?.(round);
      this.#history.settle();
      return end ?? undefined;
    } finally {
      this.#phase = 'busy';
    }
  }

  #injectHeld(): void {
    for (const message of this.#held.splice(0)) this.#history.inject(message);
  }

  #report(event: HistoryMutationEvent): void {
    const { scope = { conversationId: this.#conversationId }, events = this.#ownEvents } =
      this.#run ?? {};
    events.emit({ ...event, ...scope });
  }

  #refuseDuringRound(action: string): void {
    if (this.#phase === 'busy') throw new AgentBusyError(action);
  }
}

function userMessage(prompt: Prompt): Message {
  const { content, parts } = typeof prompt === 'string' ? { content: prompt } : prompt;
  if (typeof content !== 'string') throw new TypeError('Cannot run a prompt that is not text');
  if (content.trim() === '' && !parts?.length) throw new TypeError('Cannot run an empty prompt');
  return createUserMessage(content, parts && { parts });
}
