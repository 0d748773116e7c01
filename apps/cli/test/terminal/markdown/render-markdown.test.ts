import { describe, expect, it } from 'vitest';
import { cellWidth } from '../../../src/terminal/layout/cell-width.ts';
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
    ['shows tasks', '- [x] done\n- [ ] open', '☑ done\n☐ open'],
    ['marks quotes', '> one\n> two', '│ one\n│ two'],
    ['separates paragraphs by one empty line', 'one\n\n\ntwo', 'one\n\ntwo'],
    ['indents code', '```\na\n  b\n```', '  a\n    b'],
    ['shows an unfinished fence as code', '```ts\nconst a', '  const a'],
    ['shows where a link leads', '[docs](https://a.example)', 'docs (https://a.example)'],
    ['shows a bare address once', 'https://a.example', 'https://a.example'],
    ['shows HTML as written', '<b>x</b>', '<b>x</b>'],
    ['leaves signs of HTML as typed', 'a < b && c', 'a < b && c'],
    [
      'reads entities, but not in code',
      'a &lt; b &amp;&#39; `&lt;`',
      "a < b &' `&lt;`".replaceAll('`', ''),
    ],
    ['lets no entity steer the terminal', 'a&#27;[2J&#8238;b', 'a␛[2J\\u{202e}b'],
    [
      'frames tables by cells of the terminal, each column aligned as written',
      '|a|b|\n|-|-:|\n|한|2|\n|x|10|',
      '┌────┬────┐\n│ a  │  b │\n├────┼────┤\n│ 한 │  2 │\n│ x  │ 10 │\n└────┴────┘',
    ],
  ])('%s', (_, markdown, expected) => {
    expect(plainText(renderMarkdown(markdown))).toBe(expected);
  });

  it('colours code in a known language and leaves an unknown one as it is', async () => {
    const highlight = await loadHighlighter();

    expect(renderMarkdown('```ts\nconst a = 1\n```', { highlight })[0]).toContainEqual({
      text: 'const',
      style: 'keyword',
    });
    expect(plainText(renderMarkdown('```nope\nconst a = 1\n```', { highlight }))).toBe(
      '  const a = 1',
    );
  });

  it.each([24, 30, 40, 60, 100])(
    'fits a table into %i columns, wrapped inside its cells',
    (columns) => {
      const table =
        '|Package|What it is|Lines|\n|-|-|-:|\n|session|a run with a memory and a guard|4,096|';
      const lines = renderMarkdown(table, { columns });
      const text = plainText(lines);

      expect(new Set(lines.map((line) => cellWidth(plainText([line])))).size).toBe(1);
      expect(cellWidth(plainText([lines[0] ?? []]))).toBeLessThanOrEqual(columns);
      expect(text.replaceAll(/[^a-z]/g, '')).toHaveLength(
        'ackagehatitisinessessionarunwithamemoryandaguard'.length,
      );
    },
  );

  it('bears anything that may stream in', () => {
    for (const text of ['', '```', '**', '[a](', '|a', '- ', '1.', '> ', '#', '\u0000', '<!--']) {
      expect(() => renderMarkdown(text)).not.toThrow();
    }
  });

  it.each([
    ['quotes', '> '.repeat(3_000)],
    ['lists', '- '.repeat(2_000)],
    ['marks', '*'.repeat(100_000)],
  ])('shows %s as written that are nested without end', (_, text) => {
    expect(plainText(renderMarkdown(`${text}x`))).toBe(`${text}x`);
  });
});
