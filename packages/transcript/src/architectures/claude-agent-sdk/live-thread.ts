import type { ConversationBlock } from '../../blocks.ts';
import { asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { assistantPieces, contentBlockId } from './assistant-pieces.ts';
import { MessageOrdinals } from './message-ordinals.ts';

/** A block that is still being streamed. */
interface OpenBlock {
  readonly block: ConversationBlock;
  readonly messageId: string;
  readonly index: number;
}

/** The model message that is being streamed into one conversation. */
export class LiveThread {
  readonly ordinals = new MessageOrdinals();
  readonly #conversationId: () => string;
  readonly #now: () => string;
  /** Blocks of the current message by id; text grows in place. */
  readonly #shown = new Map<string, OpenBlock>();
  readonly #open = new Set<string>();
  #messageId = '';

  constructor(conversationId: () => string, now: () => string) {
    this.#conversationId = conversationId;
    this.#now = now;
  }

  /** Whether the block has been announced and awaits its final form. */
  isOpen(id: string): boolean {
    return this.#open.has(id);
  }

  close(id: string): void {
    this.#open.delete(id);
  }

  translate(event: JsonRecord, wrapper: JsonRecord): StreamEvent[] {
    switch (event.type) {
      case 'message_start':
        return this.#startMessage(asRecord(event.message));
      case 'content_block_start':
        return this.#startBlock(asNumber(event.index) ?? 0, asRecord(event.content_block));
      case 'content_block_delta':
        return this.#append(asNumber(event.index) ?? 0, asRecord(event.delta));
      case 'message_stop':
        return [...this.#abandon(asRecord(wrapper.abandoned_blocks)), ...this.completeOpen()];
      default:
        return [];
    }
  }

  /** Completes open blocks with the text received so far. */
  completeOpen(): StreamEvent[] {
    const ids = [...this.#open];
    this.#open.clear();
    return ids.flatMap((id) => {
      const block = this.#shown.get(id)?.block;
      if (block?.type !== 'assistant_text' && block?.type !== 'thinking') return [];
      return [this.#event({ type: 'block_complete', blockId: id, block })];
    });
  }

  /** A message that begins before the last one ended replaces it: the request was retried. */
  #startMessage(message: JsonRecord): StreamEvent[] {
    const abandoned = [...this.#open].reverse().map((id) => this.#supersede(id));
    this.#open.clear();
    this.#shown.clear();
    this.#messageId = asString(message.id) ?? '';
    return abandoned;
  }

  #startBlock(index: number, part: JsonRecord): StreamEvent[] {
    const messageId = this.#messageId;
    const source = { apiBlockIndex: index };
    const message = { id: messageId, content: [part] };
    const record = { uuid: messageId, timestamp: this.#now(), source, message };
    const [piece] = assistantPieces(record, {
      ordinals: new MessageOrdinals(),
      onSkipped: () => undefined,
    });
    if (piece?.kind !== 'block') return [];
    const { block } = piece;
    this.#shown.set(block.id, { block, messageId, index });
    this.#open.add(block.id);
    return [this.#event({ type: 'block_start', block })];
  }

  #append(index: number, delta: JsonRecord): StreamEvent[] {
    const id = contentBlockId(this.#messageId, index);
    const text = asString(delta.text) ?? asString(delta.thinking);
    const shown = this.#shown.get(id);
    if (text === undefined || shown === undefined || !this.#open.has(id)) return [];
    const { block } = shown;
    if (block.type !== 'assistant_text' && block.type !== 'thinking') return [];
    this.#shown.set(id, { ...shown, block: { ...block, content: block.content + text } });
    return [this.#event({ type: 'text_delta', blockId: id, delta: text })];
  }

  #abandon(abandoned: JsonRecord): StreamEvent[] {
    const from = asNumber(abandoned.from_block_index);
    if (from === undefined) return [];
    const abandonedBlocks = [...this.#shown].filter(
      ([, { index, messageId }]) => index >= from && messageId === abandoned.api_message_id,
    );
    return abandonedBlocks.reverse().map(([id]) => {
      this.#open.delete(id);
      return this.#supersede(id);
    });
  }

  #supersede(id: string): StreamEvent {
    return this.#event({ type: 'block_update', blockId: id, updates: { superseded: 'retry' } });
  }

  #event<Event extends object>(event: Event): Event & { readonly conversationId: string } {
    return compact({ ...event, conversationId: this.#conversationId() }) as never;
  }
}
