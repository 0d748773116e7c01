import type { HistoryEntry } from '../messages/history-entry.ts';
import type { Message } from '../messages/message.ts';
import type { Entry } from './entry.ts';

/**
 * A chat message in the timeline. Ids derive from entry numbers, so that every fold of a log gives the same timeline.
 */
export function chatEntry(
  { n, time }: Entry,
  message: Pick<Message, 'role' | 'content'> & Partial<Pick<Message, 'id' | 'state'>>,
): HistoryEntry {
  const id = message.id ?? `entry-${n}-${message.role}`;
  const timestamp = new Date(time);
  const { role, content, state = 'complete' } = message;
  const data = { id, timestamp, state, role, content };
  return { id, timestamp, category: 'chat', type: role, data };
}

export function eventEntry({ n, time }: Entry, type: string, data: unknown): HistoryEntry {
  return { id: `entry-${n}-${type}`, timestamp: new Date(time), category: 'event', type, data };
}
