import {
  type ContextEstimate,
  combineEstimates,
  providerTokensOf,
  serializedLength,
  tokensOf,
} from '../context/estimate.ts';
import {
  type HistoryEntry,
  isChatEntry,
  messageToHistoryEntry,
} from '../messages/history-entry.ts';
import { createSystemMessage, type Message, type SystemMessage } from '../messages/message.ts';
import { freeId } from './repair-tool-pairs.ts';

/**
 * The messages in order, without a limit, and the timeline. The cost of adding a message depends only on that message.
 */
export class Conversation {
  #messages: Message[] = [];
  #timeline: HistoryEntry[] = [];
  #system: SystemMessage | undefined;
  #callIds = new Set<string>();
  #characters = 0;
  #latestUsage: { readonly tokens: number; readonly index: number } | undefined;
  #version = 0;

  /** The live array; copy it to keep it. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  get timeline(): readonly HistoryEntry[] {
    return this.#timeline;
  }

  /** Increases with every change other than an append. */
  get version(): number {
    return this.#version;
  }

  get systemMessage(): SystemMessage | null {
    const first = this.#messages[0];
    return first?.role === 'system' && first === this.#system ? first : null;
  }

  append(message: Message): number {
    const index = this.#add(message);
    this.#timeline.push(messageToHistoryEntry(message));
    return index;
  }

  /** An event goes to the timeline only; a chat entry also becomes a message. */
  addEntry(entry: HistoryEntry, message?: Message): void {
    if (message !== undefined) this.#add(message);
    this.#timeline.push(entry);
  }

  /** The first message; null removes it. */
  setSystemMessage(text: string | null): SystemMessage | null {
    const rest = this.systemMessage === null ? this.#messages : this.#messages.slice(1);
    this.#system = text === null ? undefined : createSystemMessage(text);
    this.#reset(rest);
    return this.#system ?? null;
  }

  /** Keeps the system message. */
  clear(): void {
    this.#timeline = [];
    this.#reset([]);
  }

  /** Keeps the events of the timeline. A leading system message is used only if the conversation has none. */
  replace(messages: readonly Message[]): void {
    const [first] = messages;
    const hasOwnSystem = this.systemMessage !== null;
    if (!hasOwnSystem && first?.role === 'system') this.#system = first;
    const rest = first?.role === 'system' ? messages.slice(1) : messages;
    const events = this.#timeline.filter((entry) => !isChatEntry(entry));
    this.#timeline = [...events, ...rest.map(messageToHistoryEntry)];
    this.#reset(rest);
  }

  /** Keeps the first `length` messages, including the system message. */
  truncate(length: number): void {
    const kept = this.#messages.slice(this.systemMessage === null ? 0 : 1, length);
    let chats = kept.length;
    const end = this.#timeline.findIndex((entry) => isChatEntry(entry) && --chats < 0);
    if (end >= 0) this.#timeline.length = end;
    this.#reset(kept);
  }

  /** Reserves a tool-call id that is unique in this conversation. */
  claimCallId(wanted: string): string {
    const id = freeId(wanted, this.#callIds);
    this.#callIds.add(id);
    return id;
  }

  estimate(usageFloorTokens?: number): ContextEstimate {
    return combineEstimates({
      serializedTokens: tokensOf(this.#characters, this.#messages.length),
      providerTokens: this.#latestUsage?.tokens,
      usageIsLast: this.#latestUsage?.index === this.#messages.length - 1,
      usageFloorTokens,
    });
  }

  #add(message: Message): number {
    const index = this.#messages.push(message) - 1;
    this.#characters += serializedLength(message);
    if (message.role !== 'assistant') return index;
    const tokens = providerTokensOf(message);
    if (tokens !== undefined) this.#latestUsage = { tokens, index };
    for (const call of message.toolCalls ?? []) this.#callIds.add(call.id);
    return index;
  }

  #reset(messages: readonly Message[]): void {
    this.#version += 1;
    this.#messages = [];
    this.#callIds = new Set();
    this.#characters = 0;
    this.#latestUsage = undefined;
    if (this.#system !== undefined) this.#add(this.#system);
    for (const message of messages) this.#add(message);
  }
}
