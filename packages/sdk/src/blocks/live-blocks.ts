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
  /** Text of the current round that streamed while nobody listened; it becomes one event when somebody looks. */
  #unheard: TextDelta | undefined;
  #unheardText = '';
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
    this.#catchUp();
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
    if (event.type === 'provider_stream_raw_delta' && !this.#isHeard()) {
      if (this.#unheard === undefined) this.#unheard = event;
      this.#unheardText += event.delta;
      return;
    }
    this.#catchUp();
    this.#translate(event);
  };

  /** For sessions that report no engine events. */
  say(message: Message): void {
    this.hear({ type: 'history_mutation', mutation: 'append_message', index: -1, message });
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

  /** A round's text is always followed by another event of that round, so one piece is never of two. */
  #catchUp(): void {
    if (this.#unheard === undefined) return;
    const event = { ...this.#unheard, delta: this.#unheardText };
    this.#unheard = undefined;
    this.#unheardText = '';
    this.#translate(event);
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

type TextDelta = Extract<EngineEvent, { readonly type: 'provider_stream_raw_delta' }>;

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
    const entry = { event: 'history_mutation', mutation: 'append_message', message };
    for (const event of translator.translate(entry)) state = applyStreamEvent(state, event);
  }
  return state;
}
