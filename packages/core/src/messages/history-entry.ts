import type { Message } from './message.ts';

/** One entry of the timeline: a message (`chat`) or an event. */
export interface HistoryEntry<Data = unknown> {
  readonly id: string;
  readonly timestamp: Date;
  readonly category: 'chat' | 'event';
  /** For a chat entry the message's role; for an event its kind, such as `tool-summary`. */
  readonly type: string;
  readonly data?: Data;
}

/** A timeline entry with a message. */
export type ChatEntry = HistoryEntry<Message> & { readonly category: 'chat' };

/** Whether a history entry is a chat message. */
export function isChatEntry(entry: HistoryEntry): entry is ChatEntry {
  return entry.category === 'chat';
}

/** The message of a chat entry. */
export function chatEntryToMessage(entry: HistoryEntry): Message {
  if (!entry.data) throw new Error(`Chat entry ${entry.id} has no data`);
  return { ...(entry.data as Message), id: entry.id, timestamp: entry.timestamp };
}

/** The timeline entry of a message. */
export function messageToHistoryEntry(message: Message): ChatEntry {
  return {
    id: message.id,
    timestamp: message.timestamp,
    category: 'chat',
    type: message.role,
    data: { ...message },
  };
}

/** The messages of a timeline, without its events. */
export function getMessagesForAPI(history: readonly HistoryEntry[]): Message[] {
  return history.filter(isChatEntry).map(chatEntryToMessage);
}
