import {
  chatEntryToMessage,
  createAssistantMessage,
  createUserMessage,
  getMessagesForAPI,
  type HistoryEntry,
  isChatEntry,
  messageToHistoryEntry,
} from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

const event: HistoryEntry = {
  id: 'e1',
  timestamp: new Date(0),
  category: 'event',
  type: 'tool-summary',
  data: { toolSummaries: [] },
};

describe('history entries', () => {
  it('carry a message there and back unchanged', () => {
    const message = createAssistantMessage('Hi', {
      metadata: { round: 1 },
      toolCalls: [{ id: '1', type: 'function', function: { name: 'Read', arguments: '{}' } }],
    });

    const entry = messageToHistoryEntry(message);

    expect(entry).toEqual({
      id: message.id,
      timestamp: message.timestamp,
      category: 'chat',
      type: 'assistant',
      data: message,
    });
    expect(chatEntryToMessage(entry)).toEqual(message);
  });

  it('of events are no messages', () => {
    const message = createUserMessage('Hi');

    expect(isChatEntry(event)).toBe(false);
    expect(getMessagesForAPI([event, messageToHistoryEntry(message), event])).toEqual([message]);
  });

  it('of chats need their message', () => {
    const empty: HistoryEntry = {
      ...event,
      id: 'c1',
      category: 'chat',
      type: 'user',
      data: undefined,
    };

    expect(() => chatEntryToMessage(empty)).toThrow('Chat entry c1 has no data');
  });
});
