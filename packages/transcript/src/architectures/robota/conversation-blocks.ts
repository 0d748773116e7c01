import type { ConversationBlock, SystemSubtype } from '../../blocks.ts';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  compact,
  type JsonRecord,
} from '../../json-record.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import type { BlockUpdates, StreamEvent } from '../../stream-events.ts';
import { sumUsage } from '../../token-usage.ts';
import {
  answeredBlock,
  callBlocks,
  resultBlock,
  type SpokenPart,
  spokenParts,
  usageOf,
  userBlock,
} from './message-blocks.ts';
import { initMetadata, prefixOf, retryBlock, serverToolBlock } from './notices.ts';
import { shellBlocks, shellCallBlock } from './shell-line.ts';
import { type SavedRound, SpokenRound } from './spoken-round.ts';

/** A message of the conversation as the model is shown it, and the blocks made of it. */
interface Shown {
  readonly messageId: string | undefined;
  readonly blockIds: readonly string[];
}

/** What was in view before a rewind, and what it took out of view. */
interface ViewBefore {
  readonly shown: readonly Shown[];
  readonly summarized: readonly Shown[];
  /** Undefined until the conversation was cut. */
  readonly gone?: readonly string[];
}

/** What a conversation has to remember between two entries, as plain data. */
export interface SavedConversation {
  readonly calls: readonly ConversationBlock[];
  readonly shown: readonly Shown[];
  /** Stays in view although a summary stands for it. */
  readonly summarized?: readonly Shown[];
  /** Rewinds that may be undone, the latest last. */
  readonly rewinds?: readonly ViewBefore[];
  readonly systemMessages: number;
  readonly serverTools: number;
  readonly usage?: TokenUsage;
  readonly round?: SavedRound;
  readonly display?: string;
  readonly isTurnAnnounced?: boolean;
}

const MAIN = 'main';

/** Says in stream events what the entries of one conversation say. */
export class ConversationBlocks {
  /** Calls without a result. */
  readonly #calls: Map<string, ConversationBlock>;
  #shown: Shown[];
  #summarized: readonly Shown[];
  #rewinds: readonly ViewBefore[];
  #systemMessages: number;
  #serverTools: number;
  #usage: TokenUsage | undefined;
  #round: SpokenRound | undefined;
  /** The next prompt is shown as this, whatever the model is sent. */
  #display: string | undefined;
  /** Logs of version 0.1 tell of neither the beginning nor the end of a turn. */
  #isTurnAnnounced: boolean;
  #time = '';

  constructor(saved?: SavedConversation) {
    const calls = saved?.calls ?? [];
    this.#calls = new Map(calls.map((block) => [callIdOf(block), block]));
    this.#shown = [...(saved?.shown ?? [])];
    this.#summarized = saved?.summarized ?? [];
    this.#rewinds = saved?.rewinds ?? [];
    this.#systemMessages = saved?.systemMessages ?? 0;
    this.#serverTools = saved?.serverTools ?? 0;
    this.#usage = saved?.usage;
    this.#display = saved?.display;
    this.#isTurnAnnounced = saved?.isTurnAnnounced ?? false;
    if (saved?.round) this.#round = SpokenRound.from(saved.round, this.#now);
  }

  save(): SavedConversation {
    return compact({
      calls: [...this.#calls.values()],
      shown: this.#shown,
      summarized: this.#summarized.length > 0 ? this.#summarized : undefined,
      rewinds: this.#rewinds.length > 0 ? this.#rewinds : undefined,
      systemMessages: this.#systemMessages,
      serverTools: this.#serverTools,
      usage: this.#usage,
      round: this.#round?.save(),
      display: this.#display,
      isTurnAnnounced: this.#isTurnAnnounced,
    });
  }

  /** The message that a block in view was made of. */
  messageOf(blockId: string): string | undefined {
    const inView = [...this.#summarized, ...this.#shown];
    return inView.findLast(({ blockIds }) => blockIds.includes(blockId))?.messageId;
  }

  apply(entry: JsonRecord, time: string): StreamEvent[] {
    this.#time = time;
    switch (asString(entry.event) ?? asString(entry.type)) {
      case 'session_init':
        return this.#metadata(initMetadata(entry));
      case 'session_renamed':
        return this.#metadata(compact({ title: asString(entry.name) }));
      case 'model_changed':
        return this.#metadata(compact({ model: asString(entry.model) }));
      case 'prompt':
        this.#display = asString(entry.display);
        this.#isTurnAnnounced = true;
        this.#rewinds = [];
        return [];
      case 'rewound':
        if (entry.what !== 'files') this.#beginRewind();
        return [];
      case 'turn_end':
        return this.#endTurn(entry);
      case 'provider_stream_raw_delta':
        return this.#delta(entry, 'assistant_text');
      case 'provider_thinking_delta':
        return this.#delta(entry, 'thinking');
      case 'provider_retry':
        return this.#retry(entry);
      case 'tool_execution_request':
      case 'tool_start':
      case 'start':
        return this.#running(entry);
      case 'shell_line':
        return [this.#start(shellCallBlock(entry, time))];
      case 'server_tool':
        return [this.#complete(serverToolBlock(entry, time, this.#serverTools++))];
      case 'history_mutation':
        return this.#mutate(entry);
      case 'error':
        return this.#isTurnAnnounced ? [] : [this.#system('error', `error:${time}`, textOf(entry))];
      default:
        return [];
    }
  }

  /** Whatever is still open is completed with what had arrived. */
  end(): StreamEvent[] {
    return this.#round?.end() ?? [];
  }

  #endTurn(entry: JsonRecord): StreamEvent[] {
    const { status, n } = entry;
    this.#isTurnAnnounced = false;
    this.#display = undefined;
    const events = this.end();
    if (status === 'interrupted') {
      events.push(this.#system('status', `status:${n}`, 'Interrupted by user.'));
    }
    if (status === 'failed') events.push(this.#system('error', `error:${n}`, textOf(entry)));
    return events;
  }

  #mutate(entry: JsonRecord): StreamEvent[] {
    switch (entry.mutation) {
      case 'append_message':
      case 'inject_message':
        return [
          ...this.#cutAt(asNumber(entry.index) ?? Number.POSITIVE_INFINITY),
          ...this.#append(asRecord(entry.message), entry),
        ];
      case 'clear':
        this.#shown = [];
        this.#summarized = [];
        this.#rewinds = [];
        return [];
      case 'truncate':
        return this.#cutAt(asNumber(entry.length) ?? 0);
      case 'set_system_message':
        this.#systemMessages = entry.message === null ? 0 : 1;
        return [];
      case 'replace_all':
        return this.#replace(entry);
      default:
        return [];
    }
  }

  /** Positions count the system message, which is not shown; a smaller one than expected is a rewind too. */
  #cutAt(position: number): StreamEvent[] {
    const kept = Math.max(position - this.#systemMessages, 0);
    if (!(kept < this.#shown.length)) return [];
    return this.#takeOut(this.#shown.splice(kept));
  }

  #beginRewind(): void {
    const before = { shown: [...this.#shown], summarized: this.#summarized };
    this.#rewinds = [...this.#rewinds, before];
  }

  #takeOut(gone: readonly Shown[]): StreamEvent[] {
    const ids = gone.flatMap((shown) => shown.blockIds);
    const rewind = this.#rewinds.at(-1);
    if (rewind && rewind.gone === undefined) {
      this.#rewinds = [...this.#rewinds.slice(0, -1), { ...rewind, gone: ids }];
    }
    return ids.toReversed().map((id) => this.#update(id, { superseded: 'rewind' }));
  }

  /** To before a prompt that a summary stands for: everything since leaves the view. */
  #rewindBeyond(messages: readonly JsonRecord[]): StreamEvent[] {
    const inView = [...this.#summarized, ...this.#shown];
    const ids = new Set(messages.map((message) => asString(message.id)));
    const end = inView.findLastIndex(({ messageId }) => ids.has(messageId)) + 1;
    this.#take(messages, inView);
    return this.#takeOut(inView.slice(end));
  }

  /** A summary gives way to what it stood for; nothing changes in view. */
  #uncompact(messages: readonly JsonRecord[]): StreamEvent[] {
    this.#take(messages, [...this.#summarized, ...this.#shown]);
    return [];
  }

  /** These messages are the conversation now; what else was in view before the last of them stays there. */
  #take(messages: readonly JsonRecord[], inView: readonly Shown[]): void {
    const known = new Map(inView.map((shown) => [shown.messageId, shown]));
    this.#shown = messages.map((message) => {
      const messageId = asString(message.id);
      return known.get(messageId) ?? { messageId, blockIds: [] };
    });
    const now = new Set(this.#shown);
    const end = inView.findLastIndex((shown) => now.has(shown)) + 1;
    this.#summarized = inView.slice(0, end).filter((shown) => !now.has(shown));
  }

  #undoRewind(): StreamEvent[] {
    const before = this.#rewinds.at(-1);
    if (before === undefined) return [];
    this.#rewinds = this.#rewinds.slice(0, -1);
    this.#shown = [...before.shown];
    this.#summarized = before.summarized;
    return (before.gone ?? []).map((id) => this.#update(id, { superseded: null }));
  }

  #append(message: JsonRecord, entry: JsonRecord): StreamEvent[] {
    const events = this.#said(message, entry);
    const ids = events.flatMap((said) =>
      said.type === 'block_complete' || said.type === 'block_start' ? [said.block.id] : [],
    );
    this.#shown.push({ messageId: asString(message.id), blockIds: [...new Set(ids)] });
    return events;
  }

  #said(message: JsonRecord, entry: JsonRecord): StreamEvent[] {
    const time = this.#timeOf(message);
    switch (message.role) {
      case 'user':
        return this.#user(message, time);
      case 'assistant':
        return this.#assistant(message, entry, time);
      case 'tool':
        return this.#answer(message, time);
      default:
        return [];
    }
  }

  /** A command that a person typed is shown as the call it was. */
  #user(message: JsonRecord, time: string): StreamEvent[] {
    const shell = shellBlocks(message, time);
    if (shell.length > 0) return shell.map((block) => this.#complete(block));
    return [this.#complete(this.#asShown(userBlock(message, time)))];
  }

  /** What was typed stands for what was sent; what was sent stays beside it. */
  #asShown(block: ConversationBlock): ConversationBlock {
    const display = this.#display;
    this.#display = undefined;
    if (display === undefined || block.type !== 'user_message') return block;
    const { content } = block;
    if (typeof content === 'string') {
      return content === display
        ? block
        : { ...block, content: display, metadata: { sent: content } };
    }
    const [first, ...rest] = content;
    if (first?.type !== 'text' || first.text === display) return block;
    return {
      ...block,
      content: [{ ...first, text: display }, ...rest],
      metadata: { sent: first.text },
    };
  }

  #assistant(message: JsonRecord, entry: JsonRecord, time: string): StreamEvent[] {
    const round = this.#roundOf(entry, asString(message.id));
    const model = asString(asRecord(message.metadata).model);
    const spoken = round.commit(spokenParts(message), time, model);
    const calls = callBlocks(message, time).map((block): StreamEvent => {
      this.#calls.set(callIdOf(block), block);
      return this.#start(block);
    });
    this.#round = undefined;
    return [...spoken, ...calls, ...this.#addUsage(usageOf(message), model)];
  }

  #answer(message: JsonRecord, time: string): StreamEvent[] {
    const result = resultBlock(message, time);
    const call = this.#calls.get(result.toolUseId);
    const answered = call === undefined ? undefined : answeredBlock(call, message);
    if (answered === undefined) return [this.#complete(result)];
    this.#calls.delete(result.toolUseId);
    const settled = this.#complete(answered);
    return answered.type === 'subagent' ? [settled] : [settled, this.#complete(result)];
  }

  /** A compaction leaves what was said in view; anything else adds the messages that are new. */
  #replace(entry: JsonRecord): StreamEvent[] {
    const all = asArray(entry.messages).map(asRecord);
    const messages = all.filter((message) => message.role !== 'system');
    if (messages.length < all.length) this.#systemMessages = 1;
    if (entry.reason === 'rewind') return this.#rewindBeyond(messages);
    if (entry.reason === 'rewind_undone') return this.#undoRewind();
    if (entry.reason === 'uncompact') return this.#uncompact(messages);
    const known = new Map(this.#shown.map((shown) => [shown.messageId, shown]));
    const before = this.#shown;
    this.#shown = [];
    if (/compact/i.test(asString(entry.reason) ?? '')) {
      const kept = new Set(messages.map((message) => asString(message.id)));
      const replaced = before.filter(({ messageId }) => !kept.has(messageId));
      this.#summarized = [...this.#summarized, ...replaced];
      return this.#compaction(messages, known);
    }
    return messages.flatMap((message) => {
      const shown = known.get(asString(message.id));
      if (shown === undefined) return this.#append(message, entry);
      this.#shown.push(shown);
      return [];
    });
  }

  #compaction(
    messages: readonly JsonRecord[],
    known: ReadonlyMap<string | undefined, Shown>,
  ): StreamEvent[] {
    for (const message of messages) {
      const messageId = asString(message.id);
      this.#shown.push(known.get(messageId) ?? { messageId, blockIds: [] });
    }
    const summary = messages.find(
      (message) => message.role === 'assistant' && !known.has(asString(message.id)),
    );
    const keptBlockIds = this.#shown.flatMap((shown) => shown.blockIds);
    const compaction = compact({ summary: asString(summary?.content), keptBlockIds });
    const id = `compaction:${asString(summary?.id) ?? this.#time}`;
    return [this.#system('status', id, 'Conversation compacted', { compaction })];
  }

  #delta(entry: JsonRecord, type: SpokenPart['type']): StreamEvent[] {
    return this.#roundOf(entry).append(type, asString(entry.delta) ?? '');
  }

  #retry(entry: JsonRecord): StreamEvent[] {
    return [...this.#roundOf(entry).abandon(), this.#complete(retryBlock(entry, this.#time))];
  }

  #running(entry: JsonRecord): StreamEvent[] {
    const block = this.#calls.get(asString(entry.toolCallId) ?? '');
    if (block === undefined) return [];
    return [this.#update(block.id, { status: 'running' })];
  }

  #addUsage(usage: TokenUsage | undefined, model: string | undefined): StreamEvent[] {
    if (usage !== undefined) this.#usage = sumUsage([...(this.#usage ? [this.#usage] : []), usage]);
    return this.#metadata(compact({ usage: this.#usage, model }));
  }

  #roundOf(entry: JsonRecord, fallback = 'reply'): SpokenRound {
    const prefix = prefixOf(entry) ?? fallback;
    if (this.#round?.prefix !== prefix) this.#round = new SpokenRound(prefix, this.#now);
    return this.#round;
  }

  readonly #now = (): string => this.#time;

  #timeOf(message: JsonRecord): string {
    const own = message.timestamp;
    if (own instanceof Date && !Number.isNaN(own.getTime())) return own.toISOString();
    return asString(own) ?? this.#time;
  }

  #system(subtype: SystemSubtype, id: string, message: string, metadata?: JsonRecord): StreamEvent {
    const block = { type: 'system', id, timestamp: this.#time, subtype, message } as const;
    return this.#complete(metadata ? { ...block, metadata } : block);
  }

  #start(block: ConversationBlock): StreamEvent {
    return { type: 'block_start', block, conversationId: MAIN };
  }

  #complete(block: ConversationBlock): StreamEvent {
    return { type: 'block_complete', blockId: block.id, block, conversationId: MAIN };
  }

  #update(blockId: string, updates: BlockUpdates): StreamEvent {
    return { type: 'block_update', blockId, updates, conversationId: MAIN };
  }

  #metadata(metadata: SessionMetadata): StreamEvent[] {
    if (Object.keys(metadata).length === 0) return [];
    return [{ type: 'metadata_update', metadata, conversationId: MAIN }];
  }
}

function callIdOf(block: ConversationBlock): string {
  return 'toolUseId' in block ? (block.toolUseId ?? '') : '';
}

function textOf(entry: JsonRecord): string {
  return asString(entry.message) ?? 'The run failed';
}
