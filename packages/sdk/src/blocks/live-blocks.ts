import type { EngineEvent, Message } from '@robota-sdk/agent-core';
import {
  applyStreamEvent,
  type ConversationState,
  createStreamTranslator,
  EMPTY_CONVERSATION,
  type StreamEvent,
  type SystemSubtype,
} from '@robota-sdk/agent-transcript';

/** Says in blocks and stream events what the engine reports. Every event is told once, with the next number. */
export class LiveBlocks {
  readonly #tell: (event: StreamEvent, sequence: number) => void;
  readonly #isHeard: () => boolean;
  readonly #translator = createStreamTranslator('robota');
  #state: ConversationState = EMPTY_CONVERSATION;
  #sequence = 0;
  /** Text that streamed in but is not folded yet: deltas are many, readers of the state few. */
  #unfolded = { blockId: '', text: '' };
  /** The text block being spoken, and what of it the translator has not been shown yet. */
  #spoken: SpokenText | undefined;
  #display: string | undefined;
  #heardAt = 0;

  constructor(tell: (event: StreamEvent, sequence: number) => void, isHeard: () => boolean) {
    this.#tell = tell;
    this.#isHeard = isHeard;
  }

  /** The number of the last event told; 0 before the first. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The conversation so far; a block that is still being spoken holds what has arrived. */
  state(): ConversationState {
    this.#foldText();
    return this.#state;
  }

  /** Takes over what was said before; nobody is told. */
  restore(messages: readonly Message[]): void {
    this.#state = foldMessages(messages, this.#translator, this.#state);
  }

  /** The next prompt is shown as `display`, whatever the model is sent. */
  beginTurn(display: string): void {
    this.#display = display;
    this.#heardAt = this.#sequence;
  }

  /** Whatever is still open is completed with what had arrived. */
  endTurn(): void {
    this.#catchUp();
    for (const event of this.#translator.end()) this.#emit(event);
  }

  /** True when the engine said something since the turn began. */
  get hasHeard(): boolean {
    return this.#sequence > this.#heardAt;
  }

  readonly hear = (event: EngineEvent): void => {
    // Raw payloads come between the pieces of a text and say nothing that the pieces do not.
    if (event.type === 'provider_native_raw_payload') return;
    const isText = event.type === 'provider_stream_raw_delta';
    if (isText && this.#spoken?.round === event.round) {
      this.#goOn(this.#spoken, event.delta);
      return;
    }
    this.#catchUp();
    this.#translate(event);
    if (!isText) return;
    this.#spoken = { event, round: event.round, blockId: this.#unfolded.blockId, unseen: '' };
  };

  /** For sessions that report no engine events. */
  say(message: Message): void {
    const index = Number.MAX_SAFE_INTEGER;
    this.hear({ type: 'history_mutation', mutation: 'append_message', index, message });
  }

  system(subtype: SystemSubtype, message: string): void {
    const timestamp = new Date().toISOString();
    const id = `${subtype}:${timestamp}:${this.#sequence}`;
    const block = { type: 'system', id, timestamp, subtype, message } as const;
    this.#emit({ type: 'block_complete', conversationId: 'main', blockId: id, block });
  }

  /** Takes everything out of view, what a compaction had left there too. */
  clear(): void {
    for (const { id } of this.state().blocks.toReversed()) {
      const updates = { superseded: 'reset' } as const;
      this.#emit({ type: 'block_update', conversationId: 'main', blockId: id, updates });
    }
  }

  /** Events of another thread, such as a subagent's, take their number here too. */
  foreign(event: StreamEvent): void {
    this.#emit(event);
  }

  /** One more piece of the open block: the way every piece but a round's first goes, so it is short. */
  #goOn(spoken: SpokenText, delta: string): void {
    const { blockId } = spoken;
    spoken.unseen += delta;
    this.#unfolded.text += delta;
    if (!this.#isHeard()) return;
    this.#tell({ type: 'text_delta', conversationId: 'main', blockId, delta }, ++this.#sequence);
  }

  /** Shows the translator what was told without it; it has nothing to add to that. */
  #catchUp(): void {
    const spoken = this.#spoken;
    this.#spoken = undefined;
    if (spoken && spoken.unseen !== '') {
      this.#translator.translate({ ...spoken.event, delta: spoken.unseen });
    }
  }

  #translate(event: EngineEvent): void {
    for (const told of this.#translator.translate(event)) this.#emit(this.#asShown(told));
  }

  #asShown(event: StreamEvent): StreamEvent {
    if (event.type !== 'block_complete' || event.block.type !== 'user_message') return event;
    const display = this.#display;
    this.#display = undefined;
    if (display === undefined || display === event.block.content) return event;
    const sent = event.block.content;
    return { ...event, block: { ...event.block, content: display, metadata: { sent } } };
  }

  #emit(event: StreamEvent): void {
    if (event.type === 'text_delta' && event.conversationId === 'main') this.#keepText(event);
    else {
      this.#foldText();
      this.#state = applyStreamEvent(this.#state, event);
    }
    this.#tell(event, ++this.#sequence);
  }

  #keepText({ blockId, delta }: StreamEvent & { type: 'text_delta' }): void {
    if (this.#unfolded.blockId !== blockId) {
      this.#foldText();
      this.#unfolded.blockId = blockId;
    }
    this.#unfolded.text += delta;
  }

  #foldText(): void {
    const { blockId, text } = this.#unfolded;
    if (text === '') return;
    this.#unfolded.text = '';
    const event = { type: 'text_delta', conversationId: 'main', blockId, delta: text } as const;
    this.#state = applyStreamEvent(this.#state, event);
  }
}

interface SpokenText {
  readonly event: EngineEvent;
  readonly round: number;
  readonly blockId: string;
  unseen: string;
}

/** A conversation as blocks. */
export function blocksFromMessages(messages: readonly Message[]): ConversationState['blocks'] {
  return foldMessages(messages, createStreamTranslator('robota'), EMPTY_CONVERSATION).blocks;
}

function foldMessages(
  messages: readonly Message[],
  translator: ReturnType<typeof createStreamTranslator>,
  start: ConversationState,
): ConversationState {
  let state = start;
  for (const message of messages) {
    if (message.role === 'system') continue;
    const entry = { event: 'history_mutation', mutation: 'append_message', message };
    for (const event of translator.translate(entry)) state = applyStreamEvent(state, event);
  }
  return state;
}
