import type { Entry } from '@robota-sdk/agent-core/log';
import type { SubagentBlock } from '../../blocks.ts';
import { applyStreamEvent } from '../../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../../fold/conversation-state.ts';
import { asNumber, asString, isRecord, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { ConversationBlocks, type SavedConversation } from './conversation-blocks.ts';

/** The fold at an entry, as plain data. */
export interface SavedBlocks {
  readonly state: ConversationState;
  readonly main: SavedConversation;
  readonly threads: readonly SavedThread[];
}

interface SavedThread {
  readonly subagent: SubagentIdentity;
  readonly blocks: SavedConversation;
}

/** What the `subagent_started` entry says of a subagent. */
interface SubagentIdentity {
  readonly agentId: string;
  readonly agentType: string;
  readonly input: string;
  /** The call that stands for it alone; without one it shows a block of its own. */
  readonly toolUseId?: string;
  /** Beside others of one call, from 1. */
  readonly job?: { readonly toolUseId: string; readonly number: number };
  /** The call was answered before the work was done. */
  readonly isDetached?: boolean;
}

interface Thread {
  readonly subagent: SubagentIdentity;
  readonly blocks: ConversationBlocks;
}

const MAIN = 'main';
const NOTHING: readonly StreamEvent[] = [];

/**
 * A session of our own engine in blocks and stream events, from its entries alone. The same fold serves live
 * surfaces, resume, replay, export and search, so all of them show the same.
 */
export class BlocksFold {
  readonly #threads = new Map<string, Thread>();
  #main = new ConversationBlocks();
  #state: ConversationState = EMPTY_CONVERSATION;
  #time = '';
  /** The text block being spoken, and what of it is not folded yet: deltas are many, readers of the state few. */
  #spoken: SpokenText | undefined;
  #out: StreamEvent[] = [];

  /** Goes on from what `save` gave; undefined when that is not what it is given. */
  static from(saved: unknown): BlocksFold | undefined {
    const fold = new BlocksFold();
    return fold.#restore(saved) ? fold : undefined;
  }

  /** The conversation so far; a block that is still being spoken holds what has arrived. */
  get state(): ConversationState {
    this.#foldText();
    return this.#state;
  }

  /** The id of the message that a block of the session itself was made of. */
  messageOf(blockId: string): string | undefined {
    return this.#main.messageOf(blockId);
  }

  save(): SavedBlocks {
    this.#catchUp();
    const { blocks, subagents, superseded, metadata } = this.#state;
    return {
      state: { blocks, subagents, superseded, metadata },
      main: this.#main.save(),
      threads: [...this.#threads.values()].map(({ subagent, blocks: saying }) => ({
        subagent,
        blocks: saying.save(),
      })),
    };
  }

  /** What the entry changes, already folded. */
  apply(entry: Entry): readonly StreamEvent[] {
    const spoken = this.#spoken;
    if (spoken && entry.event === 'provider_stream_raw_delta' && spoken.isSame(entry)) {
      return spoken.append(String(entry.delta));
    }
    // Raw payloads come between the pieces of a text and say nothing that the pieces do not.
    if (entry.event === 'provider_native_raw_payload') return NOTHING;
    this.#out = [];
    if (entry.thread !== undefined) this.#applyToThread(entry, entry.thread);
    else this.#applyToMain(entry);
    return this.#out;
  }

  /** Whatever is still open is completed with what had arrived. */
  end(): readonly StreamEvent[] {
    this.#out = [];
    this.#catchUp();
    for (const event of this.#main.end()) this.#emit(event);
    return this.#out;
  }

  #restore(saved: unknown): boolean {
    if (!isRecord(saved) || !isRecord(saved.state) || !isRecord(saved.main)) return false;
    const { state, main, threads } = saved as unknown as SavedBlocks;
    this.#state = state;
    this.#main = new ConversationBlocks(main);
    this.#threads.clear();
    for (const { subagent, blocks } of threads ?? []) {
      this.#threads.set(subagent.agentId, { subagent, blocks: new ConversationBlocks(blocks) });
    }
    return true;
  }

  #applyToMain(entry: Entry): void {
    this.#time = new Date(entry.time).toISOString();
    this.#catchUp();
    switch (entry.event) {
      case 'session_restored':
        this.#restore((entry.folds as JsonRecord | undefined)?.blocks);
        break;
      case 'subagent_started':
        this.#startThread(entry as unknown as SubagentIdentity);
        break;
      case 'subagent_ended':
        this.#endThread(entry);
        break;
      default:
        if (entry.event === 'history_mutation' && entry.mutation === 'clear') this.#clear();
        for (const event of this.#main.apply(entry, this.#time)) this.#emit(event);
    }
    if (entry.event === 'provider_stream_raw_delta') this.#speak(entry);
  }

  /** Takes everything out of view, what a compaction had left there too. */
  #clear(): void {
    for (const { id } of this.#state.blocks.toReversed()) {
      const updates = { superseded: 'reset' } as const;
      this.#emit({ type: 'block_update', conversationId: MAIN, blockId: id, updates });
    }
  }

  /** The pieces after the first take a short way. */
  #speak(entry: Entry): void {
    const last = this.#out.at(-1);
    if (last?.type === 'text_delta') this.#spoken = new SpokenText(entry, last.blockId);
  }

  #catchUp(): void {
    const spoken = this.#spoken;
    if (spoken === undefined) return;
    this.#foldText();
    this.#spoken = undefined;
    // Told already; the conversation only has to know of it.
    if (spoken.unseen !== '')
      this.#main.apply({ ...spoken.entry, delta: spoken.unseen }, this.#time);
  }

  #foldText(): void {
    const { unfolded = '', blockId = '' } = this.#spoken ?? {};
    if (this.#spoken === undefined || unfolded === '') return;
    this.#spoken.unfolded = '';
    const event = { type: 'text_delta', conversationId: MAIN, blockId, delta: unfolded } as const;
    this.#state = applyStreamEvent(this.#state, event);
  }

  #emit(event: StreamEvent): void {
    if (event.type === 'metadata_update' && this.#isKnown(event.metadata)) return;
    this.#out.push(event);
    this.#state = applyStreamEvent(this.#state, event);
  }

  /** A resumed session says again what it is. */
  #isKnown(metadata: SessionMetadata): boolean {
    const known = this.#state.metadata as JsonRecord;
    return Object.entries(metadata).every(([field, value]) => known[field] === value);
  }

  // Subagents: one block in the parent's conversation, and a conversation of their own.

  #startThread(subagent: SubagentIdentity): void {
    const { agentId, agentType, input, toolUseId } = subagent;
    this.#threads.set(agentId, { subagent, blocks: new ConversationBlocks() });
    const blockId = blockIdOf(subagent);
    if (toolUseId === undefined) {
      const block: SubagentBlock = {
        type: 'subagent',
        id: blockId,
        timestamp: this.#time,
        subagentId: agentId,
        name: agentType,
        input,
        status: 'running',
      };
      this.#emit({ type: 'block_start', conversationId: MAIN, block });
    } else {
      const updates = { subagentId: agentId, name: agentType };
      this.#emit({ type: 'block_update', conversationId: MAIN, blockId, updates });
    }
    this.#threadSystem(subagent, 'started', `Subagent ${agentType} started`);
  }

  #applyToThread(entry: Entry, agentId: string): void {
    const thread = this.#threads.get(agentId);
    if (!thread) return;
    const time = new Date(entry.time).toISOString();
    this.#tellThread(agentId, thread.blocks.apply(entry, time));
  }

  #endThread(entry: Entry): void {
    const agentId = asString(entry.agentId) ?? '';
    const thread = this.#threads.get(agentId);
    if (!thread) return;
    const { subagent, blocks } = thread;
    this.#threads.delete(agentId);
    this.#tellThread(agentId, blocks.end());
    const isSuccess = entry.success === true;
    const words = isSuccess ? 'Subagent completed' : 'Subagent failed';
    this.#threadSystem(subagent, 'completed', words);
    if (subagent.toolUseId !== undefined && !subagent.isDetached) return;
    const updates = {
      status: isSuccess ? ('success' as const) : ('error' as const),
      output: asString(entry.output) ?? '',
      durationMs: asNumber(entry.durationMs) ?? 0,
    };
    const blockId = blockIdOf(subagent);
    this.#emit({ type: 'block_update', conversationId: MAIN, blockId, updates });
  }

  /** Totals of a thread are no totals of the session. */
  #tellThread(agentId: string, events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (event.type !== 'metadata_update') this.#emit({ ...event, conversationId: agentId });
    }
  }

  #threadSystem(
    subagent: SubagentIdentity,
    moment: 'started' | 'completed',
    message: string,
  ): void {
    const block = {
      type: 'system',
      id: `${blockIdOf(subagent)}:${moment}`,
      timestamp: this.#time,
      subtype: moment === 'started' ? 'session_start' : 'session_end',
      message,
    } as const;
    const conversationId = subagent.agentId;
    this.#emit({ type: 'block_complete', conversationId, blockId: block.id, block });
  }
}

/** Text that streams into an open block. */
class SpokenText {
  readonly entry: Entry;
  readonly blockId: string;
  /** What the conversation has not been shown, and what the state does not hold. */
  unseen = '';
  unfolded = '';

  constructor(entry: Entry, blockId: string) {
    this.entry = entry;
    this.blockId = blockId;
  }

  isSame({ thread, round, executionId }: Entry): boolean {
    const { entry } = this;
    return thread === undefined && round === entry.round && executionId === entry.executionId;
  }

  append(delta: string): readonly StreamEvent[] {
    this.unseen += delta;
    this.unfolded += delta;
    return [{ type: 'text_delta', conversationId: MAIN, blockId: this.blockId, delta }];
  }
}

function blockIdOf({ agentId, toolUseId, job }: SubagentIdentity): string {
  return `subagent:${toolUseId ?? (job ? `${job.toolUseId}:${job.number}` : agentId)}`;
}
