import {
  type AssistantMessage,
  createAssistantMessage,
  type MessagePart,
} from '../messages/message.ts';

/** Gathers what streams in while the model speaks, so that an aborted or broken reply is never lost. */
export class PendingReply {
  #text = '';
  #thinking = '';

  append(delta: string): void {
    this.#text += delta;
  }

  appendThinking(delta: string): void {
    this.#thinking += delta;
  }

  get text(): string {
    return this.#text;
  }

  hasContent(): boolean {
    return this.#text !== '' || this.#thinking !== '';
  }

  /** What had arrived, as a message; null when that was nothing. */
  toInterruptedMessage(): AssistantMessage | null {
    if (!this.hasContent()) return null;
    return createAssistantMessage(this.#text, {
      state: 'interrupted',
      ...(this.#thinking !== '' && { parts: this.#parts() }),
    });
  }

  #parts(): readonly MessagePart[] {
    const thinking: MessagePart = { type: 'thinking', text: this.#thinking };
    return this.#text === '' ? [thinking] : [thinking, { type: 'text', text: this.#text }];
  }
}
