import type { ConversationBlock, SystemSubtype } from '../../blocks.ts';
import {
  asArray,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import type { SessionMetadata, TokenUsage } from '../../session-metadata.ts';
import type { BlockUpdates, StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { sumUsage } from '../../token-usage.ts';
import {
  answeredBlock,
  callBlocks,
  resultBlock,
  spokenParts,
  usageOf,
  userBlock,
} from './message-blocks.ts';
import { initMetadata, prefixOf, retryBlock, serverToolBlock } from './notices.ts';
import { RecentMessages } from './recent-messages.ts';
import { SpokenRound } from './spoken-round.ts';

/** Translates the engine's events, live or as the session log holds them (there `event` names the kind). */
export function createRobotaStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  return new RobotaStreamTranslator(now);
}

/** A message of the conversation as the model is shown it, and the blocks made of it. */
interface Shown {
  readonly messageId: string | undefined;
  readonly blockIds: string[];
}

class RobotaStreamTranslator implements StreamTranslator {
  readonly #now: () => string;
  readonly #calls = new Map<string, ConversationBlock>();
  readonly #recent = new RecentMessages();
  #time = '';
  #round: SpokenRound | undefined;
  #shown: Shown[] = [];
  #systemMessages = 0;
  #usage: TokenUsage | undefined;
  #serverTools = 0;

  constructor(now: () => string) {
    this.#now = now;
  }

  translate(nativeEvent: unknown): StreamEvent[] {
    if (!isRecord(nativeEvent)) return [];
    this.#time = asString(nativeEvent.timestamp) ?? '';
    const kind = asString(nativeEvent.event) ?? asString(nativeEvent.type) ?? '';
    return this.#handlers.get(kind)?.(nativeEvent) ?? [];
  }

  end(): StreamEvent[] {
    return this.#round?.end() ?? [];
  }

  readonly #handlers: ReadonlyMap<string, (event: JsonRecord) => StreamEvent[]> = new Map(
    Object.entries({
      session_init: (event: JsonRecord) => this.#metadata(initMetadata(event)),
      session_renamed: (event) => this.#metadata(compact({ title: asString(event.name) })),
      provider_stream_raw_delta: (event) => this.#delta(event, 'assistant_text'),
      provider_thinking_delta: (event) => this.#delta(event, 'thinking'),
      provider_retry: (event) => this.#retry(event),
      provider_response_normalized: (event) => this.#remember(event.response),
      assistant_message_committed: (event) => this.#remember(event.message),
      tool_message_committed: (event) => this.#remember(event.message),
      tool_execution_request: (event) => this.#running(event),
      tool_start: (event) => this.#running(event),
      start: (event) => this.#running(event),
      server_tool: (event) => this.#serverTool(event),
      history_mutation: (event) => this.#mutate(event),
      error: (event) => this.#failed(event),
    } satisfies Record<string, (event: JsonRecord) => StreamEvent[]>),
  );

  #failed(event: JsonRecord): StreamEvent[] {
    const message = asString(event.message) ?? 'The run failed';
    return [this.#complete(this.#system('error', `error:${this.#timestamp()}`, { message }))];
  }

  #mutate(event: JsonRecord): StreamEvent[] {
    switch (event.mutation) {
      case 'append_message':
      case 'inject_message':
        return [
          ...this.#cutAt(asNumber(event.index) ?? Number.POSITIVE_INFINITY),
          ...this.#append(this.#recent.resolve(event.message), event),
        ];
      case 'clear':
        return this.#setAside(this.#shown.splice(0), 'reset');
      case 'truncate':
        return this.#cutAt(asNumber(event.length) ?? 0);
      case 'set_system_message':
        this.#systemMessages = event.message === null ? 0 : 1;
        return [];
      case 'replace_all':
        return this.#replace(event);
      default:
        return [];
    }
  }

  /** Positions count the system message, which is not shown; a smaller one than expected is a rewind too. */
  #cutAt(position: number): StreamEvent[] {
    const kept = Math.max(position - this.#systemMessages, 0);
    if (!(kept < this.#shown.length)) return [];
    return this.#setAside(this.#shown.splice(kept), 'rewind');
  }

  #append(message: JsonRecord, event: JsonRecord): StreamEvent[] {
    const events = this.#said(message, event);
    const blockIds = events.flatMap((said) =>
      said.type === 'block_complete' || said.type === 'block_start' ? [idOf(said)] : [],
    );
    this.#shown.push({ messageId: asString(message.id), blockIds: [...new Set(blockIds)] });
    return events;
  }

  #said(message: JsonRecord, event: JsonRecord): StreamEvent[] {
    const timestamp = this.#timestamp(message);
    switch (message.role) {
      case 'user':
        return [this.#complete(userBlock(message, timestamp))];
      case 'assistant':
        return this.#assistant(message, event, timestamp);
      case 'tool':
        return this.#answer(message, timestamp);
      default:
        return [];
    }
  }

  #assistant(message: JsonRecord, event: JsonRecord, timestamp: string): StreamEvent[] {
    const round = this.#roundOf(event, asString(message.id));
    const model = asString(asRecord(message.metadata).model);
    const spoken = round.commit(spokenParts(message), timestamp, model);
    const calls = callBlocks(message, timestamp).map((block): StreamEvent => {
      if ('toolUseId' in block) this.#calls.set(block.toolUseId ?? '', block);
      return { type: 'block_start', block, conversationId: MAIN };
    });
    this.#round = undefined;
    return [...spoken, ...calls, ...this.#addUsage(usageOf(message), model)];
  }

  #answer(message: JsonRecord, timestamp: string): StreamEvent[] {
    const result = resultBlock(message, timestamp);
    const call = this.#calls.get(result.toolUseId);
    const answered = call === undefined ? undefined : answeredBlock(call, message);
    if (answered === undefined) return [this.#complete(result)];
    this.#calls.set(result.toolUseId, answered);
    const settled = this.#complete(answered);
    return answered.type === 'subagent' ? [settled] : [settled, this.#complete(result)];
  }

  /** A compaction leaves what was said in view; anything else adds the messages that are new. */
  #replace(event: JsonRecord): StreamEvent[] {
    const all = this.#listed(event.messages);
    const messages = all.filter((message) => message.role !== 'system');
    if (messages.length < all.length) this.#systemMessages = 1;
    const known = new Map(this.#shown.map((shown) => [shown.messageId, shown]));
    this.#shown = [];
    if (/compact/i.test(asString(event.reason) ?? '')) return this.#compaction(messages, known);
    return messages.flatMap((message) => {
      const shown = known.get(asString(message.id));
      if (shown === undefined) return this.#append(message, event);
      this.#shown.push(shown);
      return [];
    });
  }

  /** The messages of a list; a log writes it as what it shares with the conversation, then what is new. */
  #listed(list: unknown): readonly JsonRecord[] {
    const { kind, length, omit, extra } = asRecord(list);
    const written = kind === 'history-reference' ? extra : list;
    const fresh = asArray(written).map((message) => this.#recent.resolve(message));
    if (kind !== 'history-reference') return fresh;
    const current: JsonRecord[] = this.#shown.map(({ messageId }) => ({ id: messageId }));
    if (this.#systemMessages > 0) current.unshift({ role: 'system' });
    const left = new Set(asArray(omit));
    const shared = current.slice(0, asNumber(length)).filter((_, index) => !left.has(index));
    return [...shared, ...fresh];
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
    const compaction = compact({ summary: asString(summary?.content) });
    const id = `compaction:${asString(summary?.id) ?? this.#timestamp()}`;
    const block = this.#system('status', id, {
      message: 'Conversation compacted',
      metadata: { compaction },
    });
    return [this.#complete(block)];
  }

  #setAside(gone: readonly Shown[], superseded: 'reset' | 'rewind'): StreamEvent[] {
    const ids = gone.flatMap((shown) => shown.blockIds).reverse();
    return ids.map((id) => this.#update(id, { superseded }));
  }

  #delta(event: JsonRecord, type: 'assistant_text' | 'thinking'): StreamEvent[] {
    return this.#roundOf(event).append(type, asString(event.delta) ?? '');
  }

  #retry(event: JsonRecord): StreamEvent[] {
    const block = retryBlock(event, this.#timestamp());
    return [...this.#roundOf(event).abandon(), this.#complete(block)];
  }

  #running(event: JsonRecord): StreamEvent[] {
    const block = this.#calls.get(asString(event.toolCallId) ?? '');
    if (block === undefined) return [];
    return [this.#update(block.id, { status: 'running' })];
  }

  #serverTool(event: JsonRecord): StreamEvent[] {
    return [this.#complete(serverToolBlock(event, this.#timestamp(), this.#serverTools++))];
  }

  #addUsage(usage: TokenUsage | undefined, model: string | undefined): StreamEvent[] {
    if (usage !== undefined) this.#usage = sumUsage([...(this.#usage ? [this.#usage] : []), usage]);
    return this.#metadata(compact({ usage: this.#usage, model }));
  }

  #roundOf(event: JsonRecord, fallback = 'reply'): SpokenRound {
    const prefix = prefixOf(event) ?? fallback;
    if (this.#round?.prefix !== prefix)
      this.#round = new SpokenRound(prefix, () => this.#timestamp());
    return this.#round;
  }

  #remember(message: unknown): StreamEvent[] {
    this.#recent.remember(message);
    return [];
  }

  #timestamp(message?: JsonRecord): string {
    const own = message?.timestamp;
    if (own instanceof Date && !Number.isNaN(own.getTime())) return own.toISOString();
    return asString(own) ?? (this.#time === '' ? this.#now() : this.#time);
  }

  #system(
    subtype: SystemSubtype,
    id: string,
    fields: { readonly message: string; readonly metadata?: JsonRecord },
  ): ConversationBlock {
    return { type: 'system', id, timestamp: this.#timestamp(), subtype, ...fields };
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

const MAIN = 'main';

function idOf(event: StreamEvent): string {
  return event.type === 'block_complete' || event.type === 'block_start' ? event.block.id : '';
}
