import type { Message } from './message.ts';

/** One line of the timeline: something said (`chat`) or something that happened (`event`). */
export interface HistoryEntry<Data = unknown> {
  readonly id: string;
  readonly timestamp: Date;
  readonly category: 'chat' | 'event';
  /** For a chat entry the message's role; for an event its kind, such as `tool-summary`. */
  readonly type: string;
  readonly data?: Data;
}

export type ChatEntry = HistoryEntry<Message> & { readonly category: 'chat' };

export function isChatEntry(entry: HistoryEntry): entry is ChatEntry {
  return entry.category === 'chat';
}

export function chatEntryToMessage(entry: HistoryEntry): Message {
  if (!entry.data) throw new Error(`Chat entry ${entry.id} has no data`);
  return { ...(entry.data as Message), id: entry.id, timestamp: entry.timestamp };
}

export function messageToHistoryEntry(message: Message): ChatEntry {
  return {
    id: message.id,
    timestamp: message.timestamp,
    category: 'chat',
    type: message.role,
    data: { ...message },
  };
}

export function getMessagesForAPI(history: readonly HistoryEntry[]): Message[] {
  return history.filter(isChatEntry).map(chatEntryToMessage);
}
