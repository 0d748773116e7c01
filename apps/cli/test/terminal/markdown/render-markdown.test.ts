import { describe, expect, it } from 'vitest';
import { loadHighlighter } from '../../../src/terminal/markdown/highlight-code.ts';
import { renderMarkdown } from '../../../src/terminal/markdown/render-markdown.ts';
import { plainText } from '../../../src/terminal/markdown/styled-text.ts';

describe('renderMarkdown', () => {
  it('keeps emphasis inside list items', () => {
    expect(renderMarkdown('- a **b** `c`')).toEqual([
      [
        { text: '• ', style: 'dim' },
        { text: 'a ', style: 'plain' },
        { text: 'b', style: 'strong' },
        { text: ' ', style: 'plain' },
        { text: 'c', style: 'code' },
      ],
    ]);
  });

  it.each([
    ['numbers ordered lists from their start', '3. three\n4. four', '3. three\n4. four'],
    ['nests lists', '- a\n  - b\n- c', '• a\n  • b\n• c'],
    ['shows tasks', '- [x] done\n- [ ] open', '• [x] done\n• [ ] open'],
    ['marks quotes', '> one\n> two', '│ one\n│ two'],
    ['separates paragraphs by one empty line', 'one\n\n\ntwo', 'one\n\ntwo'],
    ['indents code', '```\na\n  b\n```', '  a\n    b'],
    ['shows an unfinished fence as code', '```ts\nconst a', '  const a'],
    ['shows where a link leads', '[docs](https://a.example)', 'docs (https://a.example)'],
    ['shows a bare address once', 'https://a.example', 'https://a.example'],
    ['shows HTML as written', '<b>x</b>', '<b>x</b>'],
    ['shows entities as typed', 'a < b && c', 'a < b && c'],
    ['aligns tables by cells of the terminal', '|a|b|\n|-|-|\n|한|2|', 'a  │ b\n───┼──\n한 │ 2'],
  ])('%s', (_, markdown, expected) => {
    expect(plainText(renderMarkdown(markdown))).toBe(expected);
  });

  it('colours code in a known language and leaves an unknown one as it is', async () => {
    const highlight = await loadHighlighter();

    expect(renderMarkdown('```ts\nconst a = 1\n```', highlight)[0]).toContainEqual({
      text: 'const',
      style: 'keyword',
    });
    expect(plainText(renderMarkdown('```nope\nconst a = 1\n```', highlight))).toBe('  const a = 1');
  });

  it('bears anything that may stream in', () => {
    for (const text of ['', '```', '**', '[a](', '|a', '- ', '1.', '> ', '#', '\u0000', '<!--']) {
      expect(() => renderMarkdown(text)).not.toThrow();
    }
  });
});
