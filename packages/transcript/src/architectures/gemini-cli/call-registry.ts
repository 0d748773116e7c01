import type { GeminiMessage, ToolCall, ToolResponse } from './gemini-message.ts';
import { mergeCall } from './merge-messages.ts';

/** All that is known about each tool call of a chat, whichever messages mention it. */
export class CallRegistry {
  readonly #calls = new Map<string, ToolCall>();
  readonly #answered = new Set<string>();

  get(id: string): ToolCall | undefined {
    return this.#calls.get(id);
  }

  /** Takes in what a message says about calls, and gives it back with every answer linked to its call. */
  adopt(message: GeminiMessage): GeminiMessage {
    for (const call of message.calls) {
      const known = this.#calls.get(call.id);
      this.#calls.set(call.id, known === undefined ? call : mergeCall(known, call));
      if (call.response !== undefined) this.#answered.add(call.id);
    }
    if (message.responses.length === 0) return message;
    const responses = message.responses.map((response, index) => {
      const linked = this.#link(response, `${message.id}:call:${index}`);
      this.#answered.add(linked.callId);
      return linked;
    });
    return { ...message, responses };
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
