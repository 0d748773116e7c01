import type { Entry } from '@robota-sdk/agent-core/log';
import type { SubagentBlock } from '../../blocks.ts';
import { applyStreamEvent } from '../../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../../fold/conversation-state.ts';
import { asId, asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { ConversationBlocks, type SavedConversation } from './conversation-blocks.ts';
import { isSavedFold } from './is-saved-fold.ts';

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

/** Fields of the `subagent_started` entry. */
interface SubagentIdentity {
  readonly agentId: string;
  readonly agentType: string;
  readonly input: string;
  /** The call that represents it; without one it has a block of its own. */
  readonly toolUseId?: string;
  /** Set if one call started several; numbered from 1. */
  readonly job?: { readonly toolUseId: string; readonly number: number };
  /** The call got its result before the work was done. */
  readonly isDetached?: boolean;
}

interface Thread {
  readonly subagent: SubagentIdentity;
  readonly blocks: ConversationBlocks;
}

const MAIN = 'main';
const NOTHING: readonly StreamEvent[] = [];

/**
 * Folds the entries of our own engine into blocks and stream events. The same fold is used for live
 * surfaces, resume, replay, export and search, so all of them show the same conversation.
 */
export class BlocksFold {
  readonly #threads = new Map<string, Thread>();
  #main = new ConversationBlocks();
  #state: ConversationState = EMPTY_CONVERSATION;
  #time = '';
  /** The text block being streamed; its deltas are folded lazily, because they are many and reads of the state few. */
  #streamed: StreamedText | undefined;
  #out: StreamEvent[] = [];

  /** Restores a saved fold; `undefined` if the data is not valid. */
  static from(saved: unknown): BlocksFold | undefined {
    const fold = new BlocksFold();
    return fold.#restore(saved) ? fold : undefined;
  }

  /** An independent fold with the same state. */
  copy(): BlocksFold {
    const copy = new BlocksFold();
    copy.#load(this.save());
    return copy;
  }

  /** The conversation so far; a block that is being streamed contains the text received so far. */
  get state(): ConversationState {
    this.#foldText();
    return this.#state;
  }

  /** The id of the message a block of the main conversation belongs to. */
  messageOf(blockId: string): string | undefined {
    return this.#main.messageOf(blockId);
  }

  save(): SavedBlocks {
    this.#flushText();
    const { blocks, subagents, superseded, metadata } = this.#state;
    return {
      state: { blocks, subagents, superseded, metadata },
      main: this.#main.save(),
      threads: [...this.#threads.values()].map(({ subagent, blocks: threadBlocks }) => ({
        subagent,
        blocks: threadBlocks.save(),
      })),
    };
  }

  /** Folds the entry and returns the resulting events. */
  apply(entry: Entry): readonly StreamEvent[] {
    const streamed = this.#streamed;
    const isText = entry.event === 'provider_stream_raw_delta' && streamed !== undefined;
    return isText && streamed.append(entry)
      ? [streamed.event(String(entry.delta))]
      : this.#change(entry);
  }

  /** `apply` for callers that ignore the events: a delta creates none. */
  take(entry: Entry): void {
    const isNext = entry.event === 'provider_stream_raw_delta' && this.#streamed?.append(entry);
    if (!isNext) this.#change(entry);
  }

  #change(entry: Entry): readonly StreamEvent[] {
    // Raw payloads come between deltas and contain nothing new.
    if (entry.event === 'provider_native_raw_payload') return NOTHING;
    this.#out = [];
    if (entry.thread !== undefined) this.#applyToThread(entry, entry.thread);
    else this.#applyToMain(entry);
    return this.#out;
  }

  /** Completes open blocks with the text received so far. */
  end(): readonly StreamEvent[] {
    this.#out = [];
    this.#flushText();
    for (const event of this.#main.end()) this.#emit(event);
    return this.#out;
  }

  #restore(saved: unknown): boolean {
    if (!isSavedFold(saved)) return false;
    this.#load(saved as SavedBlocks);
    return true;
  }

  #load({ state, main, threads }: SavedBlocks): void {
    this.#state = state;
    this.#main = new ConversationBlocks(main);
    this.#threads.clear();
    for (const { subagent, blocks } of threads ?? []) {
      this.#threads.set(subagent.agentId, { subagent, blocks: new ConversationBlocks(blocks) });
    }
  }

  #applyToMain(entry: Entry): void {
    this.#time = new Date(entry.time).toISOString();
    this.#flushText();
    switch (entry.event) {
      case 'session_restored':
        this.#restore((entry.folds as JsonRecord | undefined)?.blocks);
        break;
      case 'subagent_started':
        this.#startThread(identityOf(entry));
        break;
      case 'subagent_ended':
        this.#endThread(entry);
        break;
      default:
        if (entry.event === 'history_mutation' && entry.mutation === 'clear') this.#clear();
        for (const event of this.#main.apply(entry, this.#time)) this.#emit(event);
    }
    if (entry.event === 'provider_stream_raw_delta') this.#trackText(entry);
  }

  /** Supersedes all blocks, including those a compaction left visible. */
  #clear(): void {
    for (const { id } of this.#state.blocks.toReversed()) {
      const updates = { superseded: 'reset' } as const;
      this.#emit({ type: 'block_update', conversationId: MAIN, blockId: id, updates });
    }
  }

  /** Deltas after the first take the fast path in `apply`. */
  #trackText(entry: Entry): void {
    const last = this.#out.at(-1);
    if (last?.type === 'text_delta') this.#streamed = new StreamedText(entry, last.blockId);
  }

  #flushText(): void {
    const streamed = this.#streamed;
    if (streamed === undefined) return;
    this.#foldText();
    this.#streamed = undefined;
    // The deltas were emitted already; only the conversation's state is updated.
    if (streamed.unapplied !== '')
      this.#main.apply({ ...streamed.entry, delta: streamed.unapplied }, this.#time);
  }

  #foldText(): void {
    const streamed = this.#streamed;
    if (streamed === undefined || streamed.deltas.length === 0) return;
    const text = streamed.deltas.join('');
    streamed.deltas = [];
    streamed.unapplied += text;
    this.#state = applyStreamEvent(this.#state, streamed.event(text));
  }

  #emit(event: StreamEvent): void {
    if (event.type === 'metadata_update' && this.#isKnown(event.metadata)) return;
    this.#out.push(event);
    this.#state = applyStreamEvent(this.#state, event);
  }

  /** A resumed session repeats its metadata. */
  #isKnown(metadata: SessionMetadata): boolean {
    const known = this.#state.metadata as JsonRecord;
    return Object.entries(metadata).every(([field, value]) => known[field] === value);
  }

  // Subagents: one block in the parent's conversation, and a separate conversation.

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
    this.#emitThread(agentId, thread.blocks.apply(entry, time));
  }

  #endThread(entry: Entry): void {
    const agentId = asString(entry.agentId) ?? '';
    const thread = this.#threads.get(agentId);
    if (!thread) return;
    const { subagent, blocks } = thread;
    this.#threads.delete(agentId);
    this.#emitThread(agentId, blocks.end());
    const isSuccess = entry.success === true;
    const message = isSuccess ? 'Subagent completed' : 'Subagent failed';
    this.#threadSystem(subagent, 'completed', message);
    if (subagent.toolUseId !== undefined && !subagent.isDetached) return;
    const updates = {
      status: isSuccess ? ('success' as const) : ('error' as const),
      output: asString(entry.output) ?? '',
      durationMs: asNumber(entry.durationMs) ?? 0,
    };
    const blockId = blockIdOf(subagent);
    this.#emit({ type: 'block_update', conversationId: MAIN, blockId, updates });
  }

  /** Metadata of a thread is not metadata of the session. */
  #emitThread(agentId: string, events: readonly StreamEvent[]): void {
    for (const event of events) {
      if (event.type !== 'metadata_update') this.#emit({ ...event, conversationId: agentId });
    }
  }

  #threadSystem(subagent: SubagentIdentity, phase: 'started' | 'completed', message: string): void {
    const block = {
      type: 'system',
      id: `${blockIdOf(subagent)}:${phase}`,
      timestamp: this.#time,
      subtype: phase === 'started' ? 'session_start' : 'session_end',
      message,
    } as const;
    const conversationId = subagent.agentId;
    this.#emit({ type: 'block_complete', conversationId, blockId: block.id, block });
  }
}

/** Logs can be damaged: a field of the wrong type is absent, and an agent without an id is named by its entry. */
function identityOf(entry: Entry): SubagentIdentity {
  const { toolUseId, number } = asRecord(entry.job);
  const job = { toolUseId: asId(toolUseId), number: asNumber(number) };
  return compact({
    agentId: asId(entry.agentId) ?? `agent:${entry.n}`,
    agentType: asString(entry.agentType) ?? '',
    input: asString(entry.input) ?? '',
    toolUseId: asId(entry.toolUseId),
    job: job.toolUseId === undefined || job.number === undefined ? undefined : { ...job },
    isDetached: entry.isDetached === true ? true : undefined,
  }) as SubagentIdentity;
}

/** Text that streams into an open block. */
class StreamedText {
  readonly entry: Entry;
  readonly blockId: string;
  /** Deltas not yet folded into the state. */
  deltas: string[] = [];
  /** Text in the state that is not yet applied to the conversation. */
  unapplied = '';

  constructor(entry: Entry, blockId: string) {
    this.entry = entry;
    this.blockId = blockId;
  }

  /** False if the delta belongs to another text. Sees text deltas alone, so that V8 knows the shape of its entries. */
  append({ thread, round, executionId, delta }: Entry): boolean {
    const { entry } = this;
    const isSame =
      thread === undefined && round === entry.round && executionId === entry.executionId;
    if (isSame) this.deltas.push(typeof delta === 'string' ? delta : String(delta));
    return isSame;
  }

  event(delta: string): StreamEvent {
    return { type: 'text_delta', conversationId: MAIN, blockId: this.blockId, delta };
  }
}

function blockIdOf({ agentId, toolUseId, job }: SubagentIdentity): string {
  return `subagent:${toolUseId ?? (job ? `${job.toolUseId}:${job.number}` : agentId)}`;
}
