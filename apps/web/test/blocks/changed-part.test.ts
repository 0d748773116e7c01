import type { ToolDiffLine } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { changedPart, partnerOf } from '../../src/blocks/changed-part.ts';

describe('changedPart', () => {
  it('marks whole words', () => {
    const line = 'const total = oldCount + 1;';

    const part = changedPart(line, 'const total = oldSum + 1;');

    expect(part && line.slice(part.start, part.end)).toBe('oldCount');
  });

  it('marks nothing when the lines have little in common', () => {
    expect(changedPart('alpha beta', 'something else entirely')).toBeUndefined();
  });

  it('marks nothing in a line that only lost text', () => {
    expect(changedPart('a = b;', 'a = b; ')).toBeUndefined();
  });
});

describe('partnerOf', () => {
  const lines: ToolDiffLine[] = [
    { sign: ' ', text: 'same' },
    { sign: '-', text: 'one' },
    { sign: '-', text: 'two' },
    { sign: '+', text: 'ONE' },
    { sign: '+', text: 'TWO' },
    { sign: ' ', text: 'same' },
    { sign: '+', text: 'new' },
  ];

  it('pairs removed and added lines in both directions', () => {
    expect(lines.map((_, index) => partnerOf(lines, index))).toEqual([
      undefined,
      'ONE',
      'TWO',
      'one',
      'two',
      undefined,
      undefined,
    ]);
  });
});
