import type { GeminiMessage, ToolCall, ToolResponse } from './gemini-message.ts';
import { mergeCall } from './merge-messages.ts';

/** Everything known about each tool call of a chat, from all messages that mention it. */
export class CallRegistry {
  readonly #calls = new Map<string, ToolCall>();
  readonly #answered = new Set<string>();
  /** Offsets at which each call and each result was first written. */
  readonly #callOffsets = new Map<string, number>();
  readonly #answerOffsets = new Map<string, number>();
  /** Calls by the name of their tool, in order, and the first one that may be open. */
  readonly #byTool = new Map<string, { readonly ids: string[]; next: number }>();
  /** Byte offset of the line being read. */
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

  /** Records the calls of a message, and returns the message with every result linked to its call. */
  register(message: GeminiMessage): GeminiMessage {
    for (const call of message.calls) {
      const known = this.#calls.get(call.id);
      const merged = known === undefined ? call : mergeCall(known, call);
      this.#calls.set(call.id, merged);
      if (merged.name !== known?.name) this.#addToTool(merged.name, call.id);
      setFirst(this.#callOffsets, call.id, this.offset);
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
    setFirst(this.#answerOffsets, callId, this.offset);
  }

  #link(response: ToolResponse, unknownId: string): ToolResponse {
    const callId = response.callId || (this.#oldestOpenCall(response.name) ?? unknownId);
    const known = this.#calls.get(callId)?.response;
    // The program writes every result twice; one copy in memory is enough.
    if (known !== undefined && known.output === response.output) return known;
    return callId === response.callId ? response : { ...response, callId };
  }

  /** Old records name the tool instead of the call; the oldest open call of that tool is used. */
  #oldestOpenCall(name: string): string | undefined {
    const calls = this.#byTool.get(name);
    if (calls === undefined) return undefined;
    // Answered calls are never open again.
    while (calls.next < calls.ids.length && this.#answered.has(calls.ids[calls.next] ?? '')) {
      calls.next += 1;
    }
    return calls.ids[calls.next];
  }

  #addToTool(name: string, id: string): void {
    const calls = this.#byTool.get(name);
    if (calls === undefined) this.#byTool.set(name, { ids: [id], next: 0 });
    else calls.ids.push(id);
  }
}

function setFirst(offsets: Map<string, number>, id: string, offset: number): void {
  if (!offsets.has(id)) offsets.set(id, offset);
}
