import { describe, expect, it } from 'vitest';
import { PersistentList } from '../../src/fold/persistent-list.ts';

describe('PersistentList', () => {
  it('grows past every level of its tree and keeps each earlier version unchanged', () => {
    const length = 32 * 32 + 40;
    const versions = [PersistentList.from<number>([])];
    for (let item = 0; item < length; item++) {
      versions.push(versions[item]?.push(item) ?? PersistentList.from<number>([]));
    }

    const sizes = [0, 1, 31, 32, 33, 1023, 1024, 1025, length];

    for (const size of sizes) {
      expect(versions[size]?.toArray()).toEqual(Array.from({ length: size }, (_, item) => item));
    }
  });

  it('replaces one item without changing the original list', () => {
    const before = PersistentList.from(Array.from({ length: 100 }, (_, item) => item));

    const after = before.set(64, -1);

    expect([before.get(64), after.get(64), after.get(65), after.length]).toEqual([64, -1, 65, 100]);
  });

  it('returns undefined outside its bounds', () => {
    const list = PersistentList.from([1, 2]);

    expect([list.get(-1), list.get(2)]).toEqual([undefined, undefined]);
  });
});
