import type { HistoryEntry } from '../messages/history-entry.ts';
import type { Message } from '../messages/message.ts';
import type { Entry } from './entry.ts';

/** Something that was said. Ids come from entry numbers, so that the timeline is the same whoever folds it. */
export function chatEntry(
  { n, time }: Entry,
  said: Pick<Message, 'role' | 'content'> & Partial<Pick<Message, 'id' | 'state'>>,
): HistoryEntry {
  const id = said.id ?? `entry-${n}-${said.role}`;
  const timestamp = new Date(time);
  const { role, content, state = 'complete' } = said;
  const data = { id, timestamp, state, role, content };
  return { id, timestamp, category: 'chat', type: role, data };
}

/** Something that happened. */
export function eventEntry({ n, time }: Entry, type: string, data: unknown): HistoryEntry {
  return { id: `entry-${n}-${type}`, timestamp: new Date(time), category: 'event', type, data };
}
