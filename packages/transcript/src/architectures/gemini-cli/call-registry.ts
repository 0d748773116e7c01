import type { GeminiMessage, ToolCall, ToolResponse } from './gemini-message.ts';
import { mergeCall } from './merge-messages.ts';

/** All that is known about each tool call of a chat, whichever messages mention it. */
export class CallRegistry {
  readonly #calls = new Map<string, ToolCall>();
  readonly #answered = new Set<string>();
  /** Where each call and each answer was first written. */
  readonly #callOffsets = new Map<string, number>();
  readonly #answerOffsets = new Map<string, number>();
  /** Where the line begins that is being read. */
  offset = -1;

  get(id: string): ToolCall | undefined {
    return this.#calls.get(id);
  }

  callOffset(id: string): number {
    return this.#callOffsets.get(id) ?? this.answerOffset(id);
  }

  answerOffset(id: string): number {
    return this.#answerOffsets.get(id) ?? -1;
  }

  /** Takes in what a message says about calls, and gives it back with every answer linked to its call. */
  adopt(message: GeminiMessage): GeminiMessage {
    for (const call of message.calls) {
      const known = this.#calls.get(call.id);
      this.#calls.set(call.id, known === undefined ? call : mergeCall(known, call));
      noteFirst(this.#callOffsets, call.id, this.offset);
      if (call.response !== undefined) this.#answer(call.id);
    }
    if (message.responses.length === 0) return message;
    const responses = message.responses.map((response, index) => {
      const linked = this.#link(response, `${message.id}:call:${index}`);
      this.#answer(linked.callId);
      return linked;
    });
    return { ...message, responses };
  }

  #answer(callId: string): void {
    this.#answered.add(callId);
    noteFirst(this.#answerOffsets, callId, this.offset);
  }

  #link(response: ToolResponse, unknownId: string): ToolResponse {
    const callId = response.callId || (this.#waitingFor(response.name) ?? unknownId);
    const known = this.#calls.get(callId)?.response;
    // The program writes every result twice; one copy in memory is enough.
    if (known !== undefined && known.output === response.output) return known;
    return callId === response.callId ? response : { ...response, callId };
  }

  /** Old records answer by name; the call that has waited longest is meant. */
  #waitingFor(name: string): string | undefined {
    for (const [id, call] of this.#calls) {
      if (call.name === name && !this.#answered.has(id)) return id;
    }
    return undefined;
  }
}

function noteFirst(offsets: Map<string, number>, id: string, offset: number): void {
  if (!offsets.has(id)) offsets.set(id, offset);
}
