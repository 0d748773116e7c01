import { describe, expect, it } from 'vitest';
import { givenTitle, promptTitle } from '../../src/reading/title.ts';

describe('a title from a prompt', () => {
  it.each([
    ['Fix the parser', 'Fix the parser'],
    ['\n\n  # Fix the parser\nIt is slow.', 'Fix the parser'],
    ['<system-reminder>be nice</system-reminder>\nFix it', 'Fix it'],
    ['<environment_context>\n<cwd>/work</cwd>\n</environment_context>\n\nFix it', 'Fix it'],
    ['# AGENTS.md instructions for /work\n\n<INSTRUCTIONS>\nAlways test.\n</INSTRUCTIONS>', ''],
    [
      '<command-message>init is running</command-message>\n<command-name>/init</command-name>',
      '/init',
    ],
    ['<command-name>review</command-name><command-args>42</command-args>', '/review 42'],
    ['[Image #1] What is this?', 'What is this?'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['[Request interrupted by user]', ''],
    ['"Fix the parser"', 'Fix the parser'],
    ['"Fix" and "mend"', '"Fix" and "mend"'],
    ['   ', ''],
    ['解析器を直して', '解析器を直して'],
  ])('of %j is %j', (prompt, title) => {
    expect(promptTitle(prompt)).toBe(title);
  });

  it('is cut between words', () => {
    const title = promptTitle('word '.repeat(100));

    expect(title.length).toBeLessThanOrEqual(80);
    expect(title).toMatch(/word…$/);
  });
});

describe('a title that an agent gives', () => {
  it.each(['New session - 2026-11-16', 'untitled', '', '  ', 7])('%j says nothing', (title) => {
    expect(givenTitle(title)).toBeUndefined();
  });

  it('is shown in one line', () => {
    expect(givenTitle('Two\nlines \u001b[31m')).toBe('Two lines ␛[31m');
  });
});
