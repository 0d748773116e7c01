import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from '../../src/web/html-to-markdown.ts';

/** Pages that took the converter minutes, or overflowed its stack. */
const HEAVY: Readonly<Record<string, string>> = {
  'many elements inside each other': `${'<div>'.repeat(40_000)}the text`,
  'many lists inside each other': `${'<ul><li>'.repeat(20_000)}the text`,
  'many tables inside each other': `${'<table><tr><td>'.repeat(20_000)}the text`,
  'formatting that is never closed': `${'<p><b><i><u>'.repeat(20_000)}the text`,
  'a row of many cells': `<table><tr>${'<td>x'.repeat(40_000)}</table>the text`,
  'many attributes': `<div ${Array.from({ length: 40_000 }, (_, at) => `a${at}=1`).join(' ')}>the text`,
  'many attributes behind a quoted sign': `<div b=">" ${Array.from({ length: 40_000 }, (_, at) => `a${at}=1`).join(' ')}>the text`,
  'many headings': `${'<h1>x</h1>'.repeat(40_000)}the text`,
  'tags without an end': `the text${'<a'.repeat(200_000)}`,
  'tags with quotes without an end': `the text${'<a "'.repeat(100_000)}>`,
};

describe('a page with', () => {
  it.each(Object.entries(HEAVY))('%s is read in a moment', async (_, html) => {
    expect(await htmlToMarkdown(html)).toContain('the text');
  });
});

it('a table of ten thousand cells stays a table', async () => {
  const cells = Array.from({ length: 50 }, (_, at) => `<td>c${at}</td>`).join('');
  const markdown = await htmlToMarkdown(`<table>${`<tr>${cells}</tr>`.repeat(200)}</table>`);

  const lines = markdown.split('\n');
  expect(lines).toHaveLength(202);
  expect(lines[1]).toMatch(/^\|(?: -+ \|){50}$/);
  expect(lines[2]).toMatch(/^\| c0 +\| c1 +\| /);
});

it('the text of a heavy page keeps lines, cells and entities', async () => {
  const page = `<h1>Title</h1><p>one &lt;b&gt; &amp;lt; two</p><table><tr><td>a<td>b<tr><td>c</table>`;

  expect(await htmlToMarkdown(`${page}${'<div>'.repeat(300)}`)).toBe(
    'Title\none <b> &lt; two\n| a | b\n| c',
  );
});
