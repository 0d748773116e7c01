import type { ConversationBlock, SubagentBlock, ToolUseBlock } from '../../blocks.ts';
import type { JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import type { BlockUpdates, StreamEvent } from '../../stream-events.ts';
import { type AgentState, hasEnded, withAgentState } from './agent-status.ts';
import { endedBlock, startedBlock } from './link-threads.ts';

export const MAIN = 'main';

type Call = ToolUseBlock | SubagentBlock;

/** The threads of a live session: open blocks of each, and which agent belongs to which call. */
export class LiveThreads {
  readonly #open = new Map<string, Map<string, ConversationBlock>>();
  readonly #calls = new Map<string, { readonly thread: string; readonly block: Call }>();
  /** Agent id to the id of the call that started it. */
  readonly #agents = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #started = new Set<string>();
  readonly #ended = new Set<string>();
  /** Block ids of the main conversation, by turn. */
  readonly #turns = new Map<string, Set<string>>();
  #turnId = '';
  #model: string | undefined;

  startTurn(turnId: string): void {
    this.#turnId = turnId;
    if (!this.#turns.has(turnId)) this.#turns.set(turnId, new Set());
  }

  start(thread: string, block: ConversationBlock): StreamEvent {
    this.#addToTurn(thread, block);
    this.#openIn(thread).set(block.id, block);
    if (isCall(block)) this.#calls.set(block.toolUseId ?? block.id, { thread, block });
    return { type: 'block_start', block, conversationId: thread };
  }

  delta(thread: string, blockId: string, delta: string): StreamEvent[] {
    const block = this.#openIn(thread).get(blockId);
    if (block?.type !== 'assistant_text' && block?.type !== 'thinking') return [];
    this.#openIn(thread).set(blockId, { ...block, content: block.content + delta });
    return [{ type: 'text_delta', blockId, delta, conversationId: thread }];
  }

  update(thread: string, blockId: string, updates: BlockUpdates): StreamEvent {
    return { type: 'block_update', blockId, updates, conversationId: thread };
  }

  complete(thread: string, block: ConversationBlock): StreamEvent {
    this.#addToTurn(thread, block);
    this.#openIn(thread).delete(block.id);
    if (isCall(block)) this.#calls.set(block.toolUseId ?? block.id, { thread, block });
    return { type: 'block_complete', blockId: block.id, block, conversationId: thread };
  }

  metadata(metadata: SessionMetadata): StreamEvent {
    this.#model = metadata.model ?? this.#model;
    return { type: 'metadata_update', metadata, conversationId: MAIN };
  }

  /** The current model, once known. */
  get model(): string | undefined {
    return this.#model;
  }

  isOpen(thread: string, blockId: string): boolean {
    return this.#openIn(thread).has(blockId);
  }

  call(toolUseId: string): Call | undefined {
    return this.#calls.get(toolUseId)?.block;
  }

  /** Changes the status of a call that has not ended. */
  setStatus(
    toolUseId: string,
    updates: { readonly status: 'pending' | 'running'; readonly metadata?: JsonRecord },
  ): StreamEvent[] {
    const call = this.#calls.get(toolUseId);
    if (call === undefined || hasEnded(call.block.status)) return [];
    return [this.update(call.thread, call.block.id, updates)];
  }

  /** Records the agent's own id, which is also the id of its thread. */
  nameAgent(toolUseId: string, agentId: string, name: string | undefined): StreamEvent[] {
    const call = this.#calls.get(toolUseId);
    if (call?.block.type !== 'subagent' || call.block.subagentId === agentId) return [];
    this.#agents.set(agentId, toolUseId);
    const known = call.block.name ?? name ?? this.#names.get(agentId);
    const identity = { subagentId: agentId, ...(known === undefined ? {} : { name: known }) };
    const block: SubagentBlock = { ...call.block, ...identity, status: 'running' };
    this.#calls.set(toolUseId, { ...call, block });
    return [this.update(call.thread, block.id, { ...identity, status: 'running' })];
  }

  /** The agent's name, which may become known before or after its call. */
  setAgentName(agentId: string, name: string): StreamEvent[] {
    this.#names.set(agentId, name);
    const toolUseId = this.#agents.get(agentId);
    const call = toolUseId === undefined ? undefined : this.#calls.get(toolUseId);
    if (toolUseId === undefined || call?.block.type !== 'subagent') return [];
    if (call.block.name !== undefined) return [];
    this.#calls.set(toolUseId, { ...call, block: { ...call.block, name } });
    return [this.update(call.thread, call.block.id, { name })];
  }

  /** The block that opens an agent's thread, before anything else in it. */
  openThread(thread: string, timestamp: string): StreamEvent[] {
    if (thread === MAIN || this.#started.has(thread)) return [];
    this.#started.add(thread);
    const toolUseId = this.#agents.get(thread);
    const agent = toolUseId === undefined ? undefined : this.call(toolUseId);
    const name = agent?.type === 'subagent' ? agent.name : undefined;
    return [this.complete(thread, startedBlock(toolUseId ?? thread, name, timestamp))];
  }

  /** Applies a reported state; the first one that is final closes the agent's thread. */
  agentState(agentId: string, state: AgentState, timestamp: string): StreamEvent[] {
    const toolUseId = this.#agents.get(agentId);
    const call = toolUseId === undefined ? undefined : this.#calls.get(toolUseId);
    if (toolUseId === undefined || call?.block.type !== 'subagent') return [];
    const block = withAgentState(call.block, state);
    if (!hasEnded(block.status)) return [];
    const closing =
      this.#started.has(agentId) && !this.#ended.has(agentId)
        ? [this.complete(agentId, endedBlock(toolUseId, block.status, timestamp))]
        : [];
    this.#ended.add(agentId);
    return [...closing, this.complete(call.thread, block)];
  }

  /** Ends the turn: completes open texts, and open calls with `status`. */
  closeTurn(thread: string, status: 'pending' | 'error'): StreamEvent[] {
    const open = [...this.#openIn(thread).values()];
    return open.flatMap((block) => {
      if (block.type === 'subagent') return [];
      return [this.complete(thread, block.type === 'tool_use' ? { ...block, status } : block)];
    });
  }

  closeAll(): StreamEvent[] {
    return [...this.#open.keys()].flatMap((thread) => this.closeTurn(thread, 'pending'));
  }

  /** Supersedes the blocks of reverted turns, last first. */
  supersedeTurns(turnIds: readonly string[]): StreamEvent[] {
    const ids = turnIds.flatMap((turnId) => [...(this.#turns.get(turnId) ?? [])]);
    for (const turnId of turnIds) this.#turns.delete(turnId);
    return ids.reverse().map((id) => this.update(MAIN, id, { superseded: 'rewind' }));
  }

  /** The turns of the main conversation that were not reverted, in order. */
  get turnIds(): readonly string[] {
    return [...this.#turns.keys()];
  }

  #openIn(thread: string): Map<string, ConversationBlock> {
    const known = this.#open.get(thread);
    if (known !== undefined) return known;
    const opened = new Map<string, ConversationBlock>();
    this.#open.set(thread, opened);
    return opened;
  }

  #addToTurn(thread: string, block: ConversationBlock): void {
    if (thread === MAIN) this.#turns.get(this.#turnId)?.add(block.id);
  }
}

function isCall(block: ConversationBlock): block is Call {
  return block.type === 'tool_use' || block.type === 'subagent';
}
