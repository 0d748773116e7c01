import {
  type AssistantMessage,
  createAssistantMessage,
  type MessagePart,
} from '../messages/message.ts';

/** Collects streamed text and thinking, so that an aborted or failed reply is never lost. */
export class PendingReply {
  /** A list of deltas takes a quarter of the memory of a growing string. */
  readonly #pieces: string[] = [];
  #thinking = '';

  append(delta: string): void {
    this.#pieces.push(delta);
  }

  appendThinking(delta: string): void {
    this.#thinking += delta;
  }

  get text(): string {
    return this.#pieces.join('');
  }

  hasContent(): boolean {
    return this.#pieces.length > 0 || this.#thinking !== '';
  }

  /** The text received so far as a message; null if there is none. */
  toInterruptedMessage(): AssistantMessage | null {
    if (!this.hasContent()) return null;
    const { text } = this;
    return createAssistantMessage(text, {
      state: 'interrupted',
      ...(this.#thinking !== '' && { parts: this.#parts(text) }),
    });
  }

  #parts(text: string): readonly MessagePart[] {
    const thinking: MessagePart = { type: 'thinking', text: this.#thinking };
    return text === '' ? [thinking] : [thinking, { type: 'text', text }];
  }
}
