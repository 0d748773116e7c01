import { describe, expect, it } from 'vitest';
import { EventJournal } from '../../src/live/event-journal.ts';
import { parsePosition } from '../../src/live/event-position.ts';
import { Follower } from '../../src/live/follower.ts';

function filled(count: number, limits = { maxEntries: 10, maxBytes: 1_000_000 }): EventJournal {
  // Every entry has two frames.
  let frames = 0;
  const number = () => Math.ceil(frames / 2);
  const journal = new EventJournal({ sessionId: 's', number, limits });
  for (let index = 0; index < count; index++) {
    frames += 1;
    journal.append({ type: 'user_message', content: `${index + 1}` });
  }
  return journal;
}

describe('EventJournal', () => {
  it('keeps the last events at the positions of their entries', () => {
    const journal = filled(25);

    expect([journal.oldest, journal.last]).toEqual([16, 25]);
    expect(JSON.parse(String(journal.at(16)?.bytes))).toEqual({
      type: 'user_message',
      session_id: 's',
      seq: 8,
      part: 1,
      content: '16',
    });
    expect(journal.at(15)).toBeUndefined();
    expect([14, 15, 25, 26].map((seq) => journal.covers(seq))).toEqual([false, true, true, false]);
  });

  it('finds the index after which a client resumes', () => {
    const journal = filled(25);
    const place = (text: string) => journal.indexOf(parsePosition(text));

    expect(journal.position).toEqual({ seq: 13, part: 0 });
    expect(['8.0', '8.1', '9.0', '13.0'].map(place)).toEqual([15, 16, 17, 25]);
    expect(['9', '13'].map(place)).toEqual([18, 25]);
    expect(['7.1', '13.1', '14', '99.0'].map(place)).toEqual([
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('starts at the number of the session, and does not cover earlier positions', () => {
    const journal = new EventJournal({ sessionId: 's', number: () => 40 });

    expect(journal.indexOf({ seq: 40, part: 0 })).toBe(0);
    expect(journal.indexOf({ seq: 39, part: 9 })).toBeUndefined();
    expect(journal.append({ type: 'user_message', content: 'x' })).toMatchObject({
      seq: 40,
      part: 1,
    });
  });

  it('drops events by size too, but never the latest one', () => {
    const journal = filled(3, { maxEntries: 10, maxBytes: 10 });

    expect([journal.oldest, journal.last]).toEqual([3, 3]);
  });

  it('counts the bytes after an index', () => {
    const journal = filled(3);
    const size = journal.at(3)?.bytes.length ?? 0;

    expect([1, 2, 3].map((seq) => journal.bytesAfter(seq))).toEqual([2 * size, size, 0]);
  });
});

describe('Follower', () => {
  it('delivers every event once, in order, and pauses while the sink is full', () => {
    const journal = filled(2);
    const delivered: number[] = [];
    let room = true;
    const follower = new Follower(
      journal,
      {
        write: ({ index }) => {
          delivered.push(index);
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
    expect(delivered).toEqual([1, 2, 3]);
    room = true;
    follower.resume();

    expect(delivered).toEqual([1, 2, 3, 4]);
    follower.stop();
    journal.append({ type: 'user_message', content: '5' });
    expect(delivered).toEqual([1, 2, 3, 4]);
  });

  it('drops a client whose events are gone', () => {
    const journal = filled(1);
    const reasons: string[] = [];
    const follower = new Follower(
      journal,
      { write: () => false, drop: (reason) => reasons.push(reason) },
      { after: 0 },
    );
    follower.resume();

    for (let index = 0; index < 12; index++) journal.append({ type: 'user_message', content: 'x' });

    expect(reasons).toEqual([expect.stringContaining('Resume after 1.0.')]);
  });
});
