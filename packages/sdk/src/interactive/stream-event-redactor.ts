import { createRedactor, type RedactStream } from '@robota-sdk/agent-core/log';
import type {
  ConversationBlock,
  ConversationState,
  StreamEvent,
} from '@robota-sdk/agent-transcript';

/**
 * Replaces secrets in stream events for clients that may only read, including secrets split across deltas. Every event
 * yields exactly one event, so numbers stay the same; text that may be part of a secret is delayed to a later event.
 * Use one instance for all readers of a session, or one per reader together with the snapshot it started from.
 */
export class StreamEventRedactor {
  readonly #redactor = createRedactor();
  readonly #texts = new Map<string, RedactStream>();

  redactEvent(event: StreamEvent): StreamEvent {
    switch (event.type) {
      case 'text_delta':
        return {
          ...event,
          delta: this.#textOf(event.conversationId, event.blockId).push(event.delta),
        };
      case 'block_start':
        return { ...event, block: this.#openBlock(event.conversationId, event.block) };
      case 'block_update':
        // Replaced text restarts the redaction of this block.
        if ('content' in event.updates)
          this.#texts.delete(keyOf(event.conversationId, event.blockId));
        return this.#redactor.redactValue(event);
      case 'block_complete':
        this.#texts.delete(keyOf(event.conversationId, event.blockId));
        return this.#redactor.redactValue(event);
      case 'metadata_update':
        return this.#redactor.redactValue(event);
    }
  }

  /** Redacts a snapshot; while a turn runs, its last text block is continued by the events that follow. */
  redactConversation(
    state: ConversationState,
    { isExecuting }: { readonly isExecuting: boolean },
  ): ConversationState {
    const { blocks, subagents, ...rest } = state;
    return {
      ...this.#redactor.redactValue(rest),
      blocks: this.#blocks('main', blocks, isExecuting),
      subagents: subagents.map(({ blocks: own, ...thread }) => ({
        ...this.#redactor.redactValue(thread),
        blocks: this.#blocks(thread.id, own, isExecuting),
      })),
    };
  }

  #blocks(
    conversationId: string,
    blocks: readonly ConversationBlock[],
    isExecuting: boolean,
  ): readonly ConversationBlock[] {
    const last = blocks.length - 1;
    return blocks.map((block, index) =>
      isExecuting && index === last
        ? this.#openBlock(conversationId, block)
        : this.#redactor.redactValue(block),
    );
  }

  #openBlock(conversationId: string, block: ConversationBlock): ConversationBlock {
    if (block.type !== 'assistant_text' && block.type !== 'thinking') {
      return this.#redactor.redactValue(block);
    }
    const { content, ...rest } = block;
    this.#texts.delete(keyOf(conversationId, block.id));
    const shown = this.#textOf(conversationId, block.id).push(content);
    return { ...this.#redactor.redactValue(rest), content: shown } as ConversationBlock;
  }

  #textOf(conversationId: string, blockId: string): RedactStream {
    const key = keyOf(conversationId, blockId);
    const known = this.#texts.get(key) ?? this.#redactor.createStream();
    this.#texts.set(key, known);
    return known;
  }
}

function keyOf(conversationId: string, blockId: string): string {
  return JSON.stringify([conversationId, blockId]);
}
