import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parseSearch } from '../src/reading/search-words.ts';
import { readSnippets } from '../src/snippets.ts';

const folder = mkdtempSync(join(tmpdir(), 'robota-snippets-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The words that are shown of a transcript of one line. */
async function shownOf(line: object, query: string): Promise<string | undefined> {
  const path = join(folder, 'transcript.jsonl');
  writeFileSync(path, `${JSON.stringify(line)}\n`);
  const hits = [{ thread: 'main', offset: 0, index: 0 }];
  const [snippet] = await readSnippets(
    { type: 'none', path, parts: [], hits },
    parseSearch(query),
  ).catch(() => ['read whole']);
  return snippet;
}

describe('the words around a hit', () => {
  it.each([
    [
      'a phrase that a line break divides',
      { text: 'first export\n  declare it' },
      '"export declare"',
    ],
    ['an identifier with other signs between', { text: 'encoded as UTF 8 here' }, 'utf-8'],
    ['a word with accents', { text: 'le café est fermé' }, 'cafe ferme'],
    ['characters without spaces', { text: '这个解析器很快' }, '解析器'],
    ['a beginning', { text: 'it is deprecated' }, 'depre*'],
    ['a text among numbered ones', { parts: { 0: 'zero', 1: 'needle one', 2: 'two' } }, 'needle'],
    ['a text in a list', { parts: ['zero', 'needle one', 'two'] }, 'needle'],
  ])('show %s', async (_what, line, query) => {
    const texts = JSON.stringify(line);
    const shown = (await shownOf(line, query)) ?? '';

    expect(shown).not.toBe('');
    expect(texts.replace(/\\n\s*/g, ' ')).toContain(shown);
  });

  it.each([
    ['its name', { input: { password: 'correct horse needle' } }],
    ['the name beside it', { env: [{ name: 'API_TOKEN', value: 'needle-4f9a8b7c6d5e' }] }],
    ['the name of what holds it', { tokens: ['needle-4f9a8b7c6d5e', 'x'] }],
  ])('are not those of a secret that is known by %s', async (_what, line) => {
    expect(await shownOf(line, 'needle')).not.toContain('needle');
  });
});
