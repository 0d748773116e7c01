import { describe, expect, it } from 'vitest';
import { visibleEnd } from '../../../src/terminal/markdown/visible-end.ts';

const ROWS = 10;
const many = (line: (index: number) => string, count = 3_000): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

describe('the end of a streaming text', () => {
  it('is all of a short one', () => {
    expect(visibleEnd('one\n\ntwo', ROWS)).toBe('one\n\ntwo');
  });

  it.each([
    ['a list', many((index) => `- item ${index}`)],
    ['a table', `| a | b |\n|---|---|\n${many((index) => `| ${index} | b |`)}`],
    ['a code block', `\`\`\`ts\n${many((index) => `const v${index} = 1;`)}`],
    ['one line', many((index) => `word${index}`, 100_000).replaceAll('\n', ' ')],
  ])('of %s is as high as the window and not much higher', (_, text) => {
    const end = visibleEnd(text, ROWS);

    expect(text.endsWith(end.split('\n').at(-1) ?? '')).toBe(true);
    expect(end.length).toBeLessThanOrEqual(ROWS * 400);
    expect(end.split('\n').length).toBeLessThanOrEqual(2 * ROWS);
  });

  it('keeps the head of a table and the opening line of a code block', () => {
    const table = `| a | b |\n|---|---|\n${many((index) => `| ${index} | b |`)}`;
    const code = `text\n\`\`\`ts\n${many((index) => `const v${index} = 1;`)}`;

    expect(visibleEnd(table, ROWS)).toMatch(/^\| a \| b \|\n\|---\|---\|\n\| 29\d\d/);
    expect(visibleEnd(code, ROWS)).toMatch(/^```ts\nconst v29\d\d/);
  });

  it('begins with a line that does not belong to the one above', () => {
    const list = many((index) => `- item ${index}\n  more of it\n    and more`);

    expect(visibleEnd(list, ROWS)).toMatch(/^- item/);
  });

  it('holds a code block whole that is closed in it', () => {
    const text = `${many((index) => `line ${index}`)}\n\`\`\`ts\n${many(() => 'code', 15)}\n\`\`\`\nafter`;

    expect(visibleEnd(text, ROWS)).toMatch(/^```ts\ncode/);
  });
});
