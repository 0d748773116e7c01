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
  type ReplyPart,
  replyParts,
  resultBlock,
  usageOf,
  userBlock,
} from './message-blocks.ts';
import { initMetadata, prefixOf, retryBlock, serverToolBlock } from './notices.ts';
import { shellBlocks, shellCallBlock } from './shell-line.ts';
import { type SavedRound, StreamedRound } from './streamed-round.ts';

/** A message of the model's conversation and its blocks. */
interface Shown {
  readonly messageId: string | undefined;
  readonly blockIds: readonly string[];
}

/** The view before a rewind, and the blocks it removed. */
interface ViewBefore {
  readonly shown: readonly Shown[];
  readonly summarized: readonly Shown[];
  /** `undefined` until the conversation was truncated. */
  readonly gone?: readonly string[];
}

/** State of a conversation between two entries, as plain data. */
export interface SavedConversation {
  readonly calls: readonly ConversationBlock[];
  readonly shown: readonly Shown[];
  /** Still visible although replaced by a summary. */
  readonly summarized?: readonly Shown[];
  /** Rewinds that can be undone, latest last. */
  readonly rewinds?: readonly ViewBefore[];
  readonly systemMessages: number;
  readonly serverTools: number;
  readonly usage?: TokenUsage;
  readonly round?: SavedRound;
  readonly display?: string;
  readonly isTurnAnnounced?: boolean;
}

const MAIN = 'main';

/** Translates the entries of one conversation into stream events. */
export class ConversationBlocks {
  /** Calls without a result. */
  readonly #calls: Map<string, ConversationBlock>;
  #shown: Shown[];
  #summarized: readonly Shown[];
  #rewinds: readonly ViewBefore[];
  #systemMessages: number;
  #serverTools: number;
  #usage: TokenUsage | undefined;
  #round: StreamedRound | undefined;
  /** Text shown for the next prompt instead of what is sent to the model. */
  #display: string | undefined;
  /** Logs of version 0.1 have no entries for the start and end of a turn. */
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
    if (saved?.round) this.#round = StreamedRound.from(saved.round, this.#now);
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

  /** The message of a visible block. */
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

  /** Completes open blocks with the text received so far. */
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

  /** Positions include the system message, which is not shown; a lower one than expected is a rewind too. */
  #cutAt(position: number): StreamEvent[] {
    const kept = Math.max(position - this.#systemMessages, 0);
    if (!(kept < this.#shown.length)) return [];
    return this.#supersede(this.#shown.splice(kept));
  }

  #beginRewind(): void {
    const before = { shown: [...this.#shown], summarized: this.#summarized };
    this.#rewinds = [...this.#rewinds, before];
  }

  #supersede(gone: readonly Shown[]): StreamEvent[] {
    const ids = gone.flatMap((shown) => shown.blockIds);
    const rewind = this.#rewinds.at(-1);
    if (rewind && rewind.gone === undefined) {
      this.#rewinds = [...this.#rewinds.slice(0, -1), { ...rewind, gone: ids }];
    }
    return ids.toReversed().map((id) => this.#update(id, { superseded: 'rewind' }));
  }

  /** Rewinds to before a summarized prompt: removes everything since. */
  #rewindPastSummary(messages: readonly JsonRecord[]): StreamEvent[] {
    const inView = [...this.#summarized, ...this.#shown];
    const ids = new Set(messages.map((message) => asString(message.id)));
    const end = inView.findLastIndex(({ messageId }) => ids.has(messageId)) + 1;
    this.#setMessages(messages, inView);
    return this.#supersede(inView.slice(end));
  }

  /** Replaces a summary with the original messages; the view does not change. */
  #uncompact(messages: readonly JsonRecord[]): StreamEvent[] {
    this.#setMessages(messages, [...this.#summarized, ...this.#shown]);
    return [];
  }

  /** Makes these messages the conversation; earlier ones in view become summarized. */
  #setMessages(messages: readonly JsonRecord[], inView: readonly Shown[]): void {
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
    const events = this.#messageEvents(message, entry);
    const ids = events.flatMap((event) =>
      event.type === 'block_complete' || event.type === 'block_start' ? [event.block.id] : [],
    );
    this.#shown.push({ messageId: asString(message.id), blockIds: [...new Set(ids)] });
    return events;
  }

  #messageEvents(message: JsonRecord, entry: JsonRecord): StreamEvent[] {
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

  /** A shell line is shown as a call. */
  #user(message: JsonRecord, time: string): StreamEvent[] {
    const shell = shellBlocks(message, time);
    if (shell.length > 0) return shell.map((block) => this.#complete(block));
    return [this.#complete(this.#asShown(userBlock(message, time)))];
  }

  /** Shows what was typed; what was sent is kept in the metadata. */
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
    const texts = round.commit(replyParts(message), time, model);
    const calls = callBlocks(message, time).map((block): StreamEvent => {
      this.#calls.set(callIdOf(block), block);
      return this.#start(block);
    });
    this.#round = undefined;
    return [...texts, ...calls, ...this.#addUsage(usageOf(message), model)];
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

  /** A compaction keeps messages visible; other replacements add the new messages. */
  #replace(entry: JsonRecord): StreamEvent[] {
    const all = asArray(entry.messages).map(asRecord);
    const messages = all.filter((message) => message.role !== 'system');
    if (messages.length < all.length) this.#systemMessages = 1;
    if (entry.reason === 'rewind') return this.#rewindPastSummary(messages);
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

  #delta(entry: JsonRecord, type: ReplyPart['type']): StreamEvent[] {
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

  #roundOf(entry: JsonRecord, fallback = 'reply'): StreamedRound {
    const prefix = prefixOf(entry) ?? fallback;
    if (this.#round?.prefix !== prefix) this.#round = new StreamedRound(prefix, this.#now);
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
