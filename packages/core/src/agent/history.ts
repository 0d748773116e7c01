import { Conversation } from '../conversation/conversation.ts';
import { repairToolPairs } from '../conversation/repair-tool-pairs.ts';
import type { HistoryMutationEvent } from '../engine-event.ts';
import { type HistoryEntry, isChatEntry } from '../messages/history-entry.ts';
import type { Message } from '../messages/message.ts';
import { messageOfEntry, revivedMessages } from './message-from-outside.ts';

/** The conversation, with every change from outside a run reported. */
export class History {
  readonly conversation = new Conversation();
  readonly #report: (event: HistoryMutationEvent) => void;
  #isSystemAnnounced = true;
  #needsRepair = false;

  constructor(systemMessage: string | undefined, report: (event: HistoryMutationEvent) => void) {
    this.#report = report;
    if (systemMessage === undefined) return;
    this.conversation.setSystemMessage(systemMessage);
    // Listeners are not attached during construction, so the first change or run reports it.
    this.#isSystemAnnounced = false;
  }

  /** Reports the initial system message once, before anything else. */
  announceSystemMessage(): void {
    if (this.#isSystemAnnounced) return;
    this.#isSystemAnnounced = true;
    this.#report({
      type: 'history_mutation',
      mutation: 'set_system_message',
      message: this.conversation.systemMessage,
    });
  }

  /** Continues a conversation that listeners already know: nothing is reported. */
  adopt(messages: readonly Message[]): void {
    this.conversation.setSystemMessage(null);
    this.conversation.replace(revivedMessages(messages));
    this.#isSystemAnnounced = true;
    this.#needsRepair = false;
  }

  setSystemMessage(text: string | null): void {
    this.#isSystemAnnounced = true;
    const message = this.conversation.setSystemMessage(text);
    this.#report({ type: 'history_mutation', mutation: 'set_system_message', message });
  }

  inject(message: Message): void {
    this.announceSystemMessage();
    const index = this.conversation.append(message);
    this.#needsRepair ||= mayBreakPairs(message);
    this.#report({ type: 'history_mutation', mutation: 'inject_message', index, message });
  }

  addEntry(entry: HistoryEntry): void {
    if (!isChatEntry(entry)) {
      this.conversation.addEntry(entry);
      return;
    }
    this.announceSystemMessage();
    const message = messageOfEntry(entry);
    const index = this.conversation.messages.length;
    this.conversation.addEntry(entry, message);
    this.#needsRepair ||= mayBreakPairs(message);
    this.#report({ type: 'history_mutation', mutation: 'inject_message', index, message });
  }

  clear(): void {
    this.announceSystemMessage();
    this.conversation.clear();
    this.#report({ type: 'history_mutation', mutation: 'clear' });
  }

  replace(messages: readonly Message[], reason: string): void {
    this.announceSystemMessage();
    this.conversation.replace(repairToolPairs(revivedMessages(messages)));
    this.#needsRepair = false;
    this.#report({
      type: 'history_mutation',
      mutation: 'replace_all',
      messages: this.conversation.messages.slice(),
      reason,
    });
  }

  /** Calls that lose their results are repaired before the next request. */
  truncate(length: number): void {
    if (!Number.isInteger(length) || length < 0) {
      throw new RangeError(`Cannot truncate the history to ${length} messages`);
    }
    this.announceSystemMessage();
    this.conversation.truncate(length);
    this.#needsRepair = true;
    const { length: kept } = this.conversation.messages;
    this.#report({ type: 'history_mutation', mutation: 'truncate', length: kept });
  }

  /** Repairs tool pairs if a change from outside may have broken them. */
  settle(): void {
    if (!this.#needsRepair) return;
    this.#needsRepair = false;
    const { messages } = this.conversation;
    const repaired = repairToolPairs(messages);
    if (repaired !== messages) this.replace(repaired, 'repair');
  }
}

/** Text appended to a valid history keeps it valid; tool calls and results may not. */
function mayBreakPairs(message: Message): boolean {
  return message.role === 'tool' || (message.role === 'assistant' && !!message.toolCalls?.length);
}
