import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '../../blocks.ts';
import type { BlockUpdates, StreamEvent } from '../../stream-events.ts';
import { UniqueIds } from '../../unique-ids.ts';
import { LiveThread } from './live-thread.ts';
import { hasEnded, subagentEndedBlock, subagentStartedBlock } from './subagent-block.ts';

/** The main conversation, or the tool-use id of the call that started a subagent. */
export type ConversationKey = string;

export const MAIN = 'main';

/** A tool call or subagent in progress. */
export interface LiveCall {
  readonly key: ConversationKey;
  readonly block: ToolUseBlock | SubagentBlock;
  /** A background agent continues after its call has a result. */
  readonly isAnswered: boolean;
}

/** The conversations of a live session, and the events for each. */
export class LiveConversations {
  readonly #now: () => string;
  readonly #threads = new Map<ConversationKey, LiveThread>();
  readonly #agentIds = new Map<ConversationKey, string>();
  readonly #started = new Set<ConversationKey>();
  readonly #ids = new Map<ConversationKey, UniqueIds>();
  readonly calls = new Map<string, LiveCall>();
  /** Blocks of the main conversation, in order. */
  mainBlockIds = new Set<string>();

  constructor(now: () => string) {
    this.#now = now;
  }

  thread(key: ConversationKey): LiveThread {
    const known = this.#threads.get(key);
    if (known !== undefined) return known;
    const thread = new LiveThread(() => this.idOf(key), this.#now);
    this.#threads.set(key, thread);
    return thread;
  }

  threads(): readonly LiveThread[] {
    return [...this.#threads.values()];
  }

  /** The agent's own id once it is known. */
  idOf(key: ConversationKey): string {
    return this.#agentIds.get(key) ?? key;
  }

  start(key: ConversationKey, block: ConversationBlock): StreamEvent {
    this.addMainBlock(key, block.id);
    return { type: 'block_start', block, conversationId: this.idOf(key) };
  }

  update(key: ConversationKey, blockId: string, updates: BlockUpdates): StreamEvent {
    return { type: 'block_update', blockId, updates, conversationId: this.idOf(key) };
  }

  complete(key: ConversationKey, block: ConversationBlock): StreamEvent {
    this.addMainBlock(key, block.id);
    return { type: 'block_complete', blockId: block.id, block, conversationId: this.idOf(key) };
  }

  addMainBlock(key: ConversationKey, blockId: string): void {
    if (key === MAIN) this.mainBlockIds.add(blockId);
  }

  /** Completes a block whose id may repeat, such as the result of a repeated call. */
  completeOnce(key: ConversationKey, block: ConversationBlock): StreamEvent {
    const ids = this.#ids.get(key) ?? new UniqueIds();
    this.#ids.set(key, ids);
    return this.complete(key, ids.assign(block));
  }

  /** Records the agent's own id and updates the block of its call. */
  nameAgent(toolUseId: string, agentId: string): StreamEvent[] {
    if (this.#agentIds.get(toolUseId) === agentId) return [];
    const call = this.calls.get(toolUseId);
    if (call?.block.type !== 'subagent') return [];
    this.#agentIds.set(toolUseId, agentId);
    const block = { ...call.block, subagentId: agentId };
    this.calls.set(toolUseId, { ...call, block });
    return [this.update(call.key, block.id, { subagentId: agentId })];
  }

  /** The block that opens a subagent's thread, before its first message. */
  openThread(key: ConversationKey, name: string | undefined, timestamp: string): StreamEvent[] {
    if (key === MAIN || this.#started.has(key)) return [];
    this.#started.add(key);
    const call = this.calls.get(key)?.block;
    const known = call?.type === 'subagent' ? call.name : undefined;
    return [this.complete(key, subagentStartedBlock(key, known ?? name, timestamp))];
  }

  /** Events for a subagent's new state: its block, and the end of its thread. */
  settleAgent(call: LiveCall, block: SubagentBlock, timestamp: string): StreamEvent[] {
    const toolUseId = block.toolUseId ?? '';
    this.calls.set(toolUseId, { ...call, block, isAnswered: true });
    if (!hasEnded(block.status)) {
      const { subagentId, status } = block;
      this.#recordAgentId(block);
      return [this.update(call.key, block.id, { subagentId, status })];
    }
    const ended = this.#started.has(toolUseId)
      ? [this.complete(toolUseId, subagentEndedBlock(toolUseId, block.status, timestamp))]
      : [];
    this.#recordAgentId(block);
    return [...ended, this.complete(call.key, block)];
  }

  #recordAgentId({ toolUseId, subagentId }: SubagentBlock): void {
    if (toolUseId === undefined || toolUseId === subagentId) return;
    this.#agentIds.set(toolUseId, subagentId);
  }
}
