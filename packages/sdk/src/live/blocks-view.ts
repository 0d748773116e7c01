import {
  type ContextWindowState,
  contextWindowState,
  getModelLimits,
} from '@robota-sdk/agent-core';
import { firstArgumentOf, type ToolState } from '@robota-sdk/agent-core/log';
import type {
  ConversationBlock,
  ConversationState,
  StreamEvent,
  ToolUseBlock,
} from '@robota-sdk/agent-transcript';
import { applyStreamEvent, EMPTY_CONVERSATION } from '@robota-sdk/agent-transcript/blocks';
import { EventHub } from '../interactive/event-hub.ts';
import { type ModelCost, priceTallies } from '../interactive/model-cost.ts';

/** State and events of a session known only by its blocks; tools and text are derived from them. */
export class BlocksView {
  readonly events = new EventHub();
  #conversation: ConversationState = EMPTY_CONVERSATION;
  #text = '';
  readonly #tools = new Map<string, ToolState>();

  get conversation(): ConversationState {
    return this.#conversation;
  }

  /** Assistant text since the turn started. */
  get text(): string {
    return this.#text;
  }

  get tools(): ToolState[] {
    return [...this.#tools.values()];
  }

  get model(): string | undefined {
    return this.#conversation.metadata.model;
  }

  /** Commands the agent reports. */
  get commands(): { name: string; description: string }[] {
    const { commands } = this.#conversation.metadata;
    return Array.isArray(commands) ? (commands as { name: string; description: string }[]) : [];
  }

  get messageCount(): number {
    return this.#conversation.blocks.filter(({ type }) => type === 'user_message').length;
  }

  /** Use of the context window, if the agent's transcripts report it. */
  get context(): ContextWindowState {
    const { contextTokens } = this.#conversation.metadata;
    const used = typeof contextTokens === 'number' ? contextTokens : 0;
    return contextWindowState(used, getModelLimits(this.model ?? '').contextWindow);
  }

  /** The agent's own figure; list price where it reports none. */
  async costs(): Promise<ModelCost[]> {
    const { usage, costUSD } = this.#conversation.metadata;
    if (usage === undefined) return [];
    const requests = this.messageCount;
    const tally = { model: this.model ?? 'unknown', requests, usage, causes: { main: requests } };
    const priced = await priceTallies([tally]);
    return costUSD === undefined ? priced : priced.map((one) => ({ ...one, costUsd: costUSD }));
  }

  beginTurn(): void {
    this.#text = '';
    this.#tools.clear();
  }

  /** Ends every running tool, whatever its block says. */
  endTurn(): void {
    for (const id of [...this.#tools.keys()]) this.#end(id, { isError: true, output: undefined });
  }

  /** Sets the conversation without emitting anything. */
  restore(conversation: ConversationState): void {
    this.#conversation = conversation;
  }

  /** Sets the conversation and emits `resync`. */
  replace(conversation: ConversationState): void {
    this.#conversation = conversation;
    this.events.emit('resync', conversation);
  }

  handle(event: StreamEvent, sequence: number): void {
    this.#conversation = applyStreamEvent(this.#conversation, event);
    this.events.emit('stream_event', event, sequence);
    if (event.conversationId !== 'main' || event.type === 'metadata_update') return;
    if (event.type === 'text_delta') this.#handleText(event.blockId, event.delta);
    else
      this.#handleBlock(this.#find(event.type === 'block_start' ? event.block.id : event.blockId));
  }

  #find(blockId: string): ConversationBlock | undefined {
    return this.#conversation.blocks.findLast(({ id }) => id === blockId);
  }

  #handleText(blockId: string, delta: string): void {
    if (this.#find(blockId)?.type !== 'assistant_text') return;
    this.#text += delta;
    this.events.emit('text_delta', delta);
  }

  #handleBlock(block: ConversationBlock | undefined): void {
    if (block?.type === 'tool_use') this.#handleCall(block);
    if (block?.type === 'tool_result') {
      const output = typeof block.output === 'string' ? block.output : undefined;
      this.#end(block.toolUseId, { isError: block.isError, output });
    }
    // Agents that do not stream send a text in one block.
    if (block?.type === 'assistant_text' && !this.#text.endsWith(block.content)) {
      this.#text = this.#text === '' ? block.content : `${this.#text}\n\n${block.content}`;
    }
  }

  #handleCall({ toolUseId, toolName, input, status }: ToolUseBlock): void {
    const isRunning = status === 'pending' || status === 'running';
    const known = this.#tools.get(toolUseId);
    if (known && !isRunning)
      this.#end(toolUseId, { isError: status === 'error', output: undefined });
    if (known || !isRunning) return;
    const state: ToolState = {
      toolName,
      firstArg: firstArgumentOf(input),
      isRunning: true,
      toolCallId: toolUseId,
    };
    this.#tools.set(toolUseId, state);
    this.events.emit('tool_start', state);
  }

  #end(toolCallId: string, { isError, output }: { isError: boolean; output: string | undefined }) {
    const known = this.#tools.get(toolCallId);
    if (!known) return;
    this.#tools.delete(toolCallId);
    this.events.emit('tool_end', {
      ...known,
      isRunning: false,
      result: isError ? 'error' : 'success',
      ...(output !== undefined && { toolResultData: output }),
    });
  }
}
