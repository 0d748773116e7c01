import { firstArgumentOf } from '@robota-sdk/agent-core/log';
import { describe, expect, it } from 'vitest';
import { unifiedDiff } from '../../src/assembly/unified-diff.ts';

describe('the first argument of a call', () => {
  it.each([
    [{ command: 'ls' }, 'ls'],
    [{ edits: [1, 2] }, '[1,2]'],
    [{}, ''],
    [{ nothing: null }, ''],
    [{ text: `${'a'.repeat(60)}${'b'.repeat(40)}` }, `${'a'.repeat(47)}...${'b'.repeat(30)}`],
  ])('of %j', (toolArgs, shown) => {
    expect(firstArgumentOf(toolArgs)).toBe(shown);
  });
});

describe('a diff', () => {
  it('keeps shared lines as context between the changes', () => {
    const lines = unifiedDiff({
      before: ['a', 'b', 'c', 'd'],
      after: ['a', 'B', 'c', 'd', 'e'],
      start: 10,
      leading: [],
      trailing: ['z'],
    });

    expect(lines.map(({ type, lineNumber, text }) => `${type} ${lineNumber} ${text}`)).toEqual([
      'hunk 10 @@ -10,5 +10,6 @@',
      'context 10 a',
      'remove 11 b',
      'add 11 B',
      'context 12 c',
      'context 13 d',
      'add 14 e',
      'context 15 z',
    ]);
  });

  it('of something huge is shown as replaced whole, at once', () => {
    const before = Array.from({ length: 5_000 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 5_000 }, (_, index) => `new ${index}`);

    const lines = unifiedDiff({ before, after, start: 1, leading: [], trailing: [] });

    expect(lines).toHaveLength(10_001);
  });
});
