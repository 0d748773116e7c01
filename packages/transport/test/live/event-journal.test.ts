import { describe, expect, it } from 'vitest';
import { EventJournal } from '../../src/live/event-journal.ts';
import { Follower } from '../../src/live/follower.ts';

function filled(count: number, limits = { maxEntries: 10, maxBytes: 1_000_000 }): EventJournal {
  const journal = new EventJournal('s', limits);
  for (let index = 0; index < count; index++) {
    journal.append({ type: 'user_message', content: `${index + 1}` });
  }
  return journal;
}

describe('EventJournal', () => {
  it('numbers events from 1 and keeps the last ones', () => {
    const journal = filled(25);

    expect([journal.oldest, journal.last]).toEqual([16, 25]);
    expect(JSON.parse(String(journal.at(16)?.bytes))).toEqual({
      type: 'user_message',
      session_id: 's',
      seq: 16,
      content: '16',
    });
    expect(journal.at(15)).toBeUndefined();
    expect([14, 15, 25, 26].map((seq) => journal.covers(seq))).toEqual([false, true, true, false]);
  });

  it('forgets by size too, but never the latest event', () => {
    const journal = filled(3, { maxEntries: 10, maxBytes: 10 });

    expect([journal.oldest, journal.last]).toEqual([3, 3]);
  });

  it('knows how much a reader has still to read', () => {
    const journal = filled(3);
    const size = journal.at(3)?.bytes.length ?? 0;

    expect([1, 2, 3].map((seq) => journal.bytesAfter(seq))).toEqual([2 * size, size, 0]);
  });
});

describe('Follower', () => {
  it('hands on every event once, in order, and waits while there is no room', () => {
    const journal = filled(2);
    const heard: number[] = [];
    let room = true;
    const follower = new Follower(
      journal,
      {
        write: ({ seq }) => {
          heard.push(seq);
          return room;
        },
        drop: () => expect.unreachable(),
      },
      { after: 0 },
    );

    follower.resume();
    room = false;
    journal.append({ type: 'user_message', content: '3' });
    journal.append({ type: 'user_message', content: '4' });
    expect(heard).toEqual([1, 2, 3]);
    room = true;
    follower.resume();

    expect(heard).toEqual([1, 2, 3, 4]);
    follower.stop();
    journal.append({ type: 'user_message', content: '5' });
    expect(heard).toEqual([1, 2, 3, 4]);
  });

  it('gives up on a client whose events are gone', () => {
    const journal = filled(1);
    const reasons: string[] = [];
    const follower = new Follower(
      journal,
      { write: () => false, drop: (reason) => reasons.push(reason) },
      { after: 0 },
    );
    follower.resume();

    for (let index = 0; index < 12; index++) journal.append({ type: 'user_message', content: 'x' });

    expect(reasons).toEqual([expect.stringContaining('Resume after 1.')]);
  });
});
