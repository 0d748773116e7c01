import { mergeUpdatedInput, toOurSpelling, withBothSpellings } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

describe("the two spellings of a tool's parameters", () => {
  it('are read as ours', () => {
    expect(
      toOurSpelling('Edit', {
        file_path: 'a',
        old_string: 'b',
        new_string: 'c',
        replace_all: true,
      }),
    ).toEqual({
      filePath: 'a',
      oldString: 'b',
      newString: 'c',
      replaceAll: true,
    });
  });

  it('keep ours when both are given, and leave other tools and names alone', () => {
    expect([
      toOurSpelling('Read', { filePath: 'ours', file_path: 'theirs' }),
      toOurSpelling('mcp__x__y', { file_path: 'a' }),
      toOurSpelling('toString', { file_path: 'a' }),
      toOurSpelling('Bash', { command: 'ls' }),
    ]).toEqual([{ filePath: 'ours' }, { file_path: 'a' }, { file_path: 'a' }, { command: 'ls' }]);
  });

  it('are both told to hooks', () => {
    expect([
      withBothSpellings('Write', { filePath: 'a', content: 'x' }),
      withBothSpellings('Write', { file_path: 'a' }),
    ]).toEqual([
      { filePath: 'a', file_path: 'a', content: 'x' },
      { filePath: 'a', file_path: 'a' },
    ]);
  });

  it('come back as the one that was changed', () => {
    const before = { filePath: 'a', content: 'x' };

    expect([
      mergeUpdatedInput('Write', before, { file_path: 'b', content: 'y' }),
      mergeUpdatedInput('Write', before, { filePath: 'a', file_path: 'b', content: 'x' }),
      mergeUpdatedInput('Write', before, { filePath: 'b', file_path: 'a', content: 'x' }),
    ]).toEqual([
      { filePath: 'b', content: 'y' },
      { filePath: 'b', content: 'x' },
      { filePath: 'b', content: 'x' },
    ]);
  });
});
