import { type HistoryEntry, messageToHistoryEntry } from '@robota-sdk/agent-core';
import { emptySessionState } from '@robota-sdk/agent-core/log';
import { packRecord, type SessionRecord, unpackRecord } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';

const TEXT = 'A text that is long enough to be referred to instead of being written once more.';
const AT = '2026-11-17T01:15:57.086Z';

function said(id: string, more: object = {}): HistoryEntry {
  const timestamp = new Date(AT);
  const data = { id, timestamp, state: 'complete', role: 'user', content: TEXT, ...more };
  return { id, timestamp, category: 'chat', type: 'user', data } as unknown as HistoryEntry;
}

function recordWith(history: readonly unknown[]): SessionRecord {
  const message = { id: 'm1', timestamp: AT, state: 'complete', role: 'user', content: TEXT };
  return {
    id: 's1',
    cwd: '/work',
    createdAt: AT,
    updatedAt: AT,
    messages: [message],
    history: history as HistoryEntry[],
    state: { ...emptySessionState() },
  };
}

function throughFile(record: SessionRecord): SessionRecord {
  return unpackRecord(JSON.parse(packRecord(record)) as SessionRecord);
}

/** Times are texts until they are revived. */
function asRead(history: unknown): unknown {
  return JSON.parse(JSON.stringify(history));
}

describe('a record in a file', () => {
  it('says a text and who said it once, and comes back whole', () => {
    const record = recordWith([said('m1'), said('entry-4-user')]);

    const text = packRecord(record);

    expect(text.split(TEXT).length - 1).toBe(1);
    expect(text).toContain(`{"id":"entry-4-user","timestamp":"${AT}","type":"user","$said":0}`);
    expect(unpackRecord(JSON.parse(text) as SessionRecord).history).toEqual(asRead(record.history));
  });

  it('keeps everything else that an entry of the timeline has', () => {
    const record = recordWith([
      said('m1', { metadata: { round: 1 } }),
      said('m1', { state: 'interrupted' }),
      said('m1', { role: 'assistant' }),
      said('m1', { id: 'another' }),
      said('m1', { timestamp: new Date('2026-11-17T01:15:58.000Z') }),
      said('m1', { content: 'short' }),
      { ...said('m1'), note: 'of somebody else' },
      {
        id: 'e',
        timestamp: AT,
        category: 'event',
        type: 'note',
        data: { text: TEXT, list: [TEXT] },
      },
      { id: 'x', timestamp: new Date(AT), category: 'chat', type: 'user', data: null },
    ]);

    expect(throughFile(record).history).toEqual(asRead(record.history));
  });

  it('is read in the form of older versions', () => {
    const older = {
      ...recordWith([]),
      history: [
        {
          ...said('m1'),
          data: { state: 'complete', role: 'user', content: { $message: 0 } },
        },
        said('entry-4-user'),
      ],
    };

    const text = JSON.stringify(older);

    expect(unpackRecord(JSON.parse(text) as SessionRecord).history).toEqual(
      asRead([said('m1'), said('entry-4-user')]),
    );
  });

  it('takes over a message as an entry of the timeline', () => {
    const message = {
      id: 'm1',
      timestamp: new Date(AT),
      state: 'complete' as const,
      role: 'user' as const,
      content: TEXT,
    };
    const entry = messageToHistoryEntry(message);
    const record = recordWith([entry]);

    expect(throughFile(record).history).toEqual(asRead([entry]));
  });
});
