import fc from 'fast-check';
import type { Token } from 'marked';
import { describe, expect, it } from 'vitest';
import { IncrementalMarkdown, readMarkdown } from '../../src/markdown/incremental-markdown.ts';

const FRAGMENTS = [
  'para one two',
  '# H',
  '## H2\n',
  '- a\n- b\n',
  '- a\n\n- b\n',
  '  - nested\n',
  '1. x\n2. y\n',
  '```ts\nconst a=1\n\nconst b\n```\n',
  '~~~\nx\n',
  '> q\n> r\n',
  '> q\nlazy\n',
  '| a | b |\n|---|---|\n| 1 | 2 |\n',
  '***\n',
  'Title\n===\n',
  'Sub\n---\n',
  '    indented\n\n    more\n',
  '<div>\n\nx\n</div>\n',
  'text  \nbreak\n',
  '\n',
  '\n\n',
  '- [ ] t\n- [x] u\n',
  '+ z\n',
  '日本語\n',
  'a\n\n\n\nb',
  '$$\n# x\n- y\n$$\n',
  '$$\n\\int_0 a_b\n',
  '\\[\nx\n\\]\n',
  'a $x_1 = 2$ b',
];

const growing = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom('', '\n', '\n\n')), {
    minLength: 1,
    maxLength: 9,
  })
  .map((parts) => parts.flat().join(''));

describe('IncrementalMarkdown', () => {
  it('ends with the blocks of the full text, however it was split', () => {
    fc.assert(
      fc.property(growing, fc.infiniteStream(fc.integer({ min: 1, max: 9 })), (text, sizes) => {
        const reader = new IncrementalMarkdown();
        let shown: readonly Token[] = [];
        let end = 0;
        while (end < text.length) {
          end = Math.min(text.length, end + (sizes.next().value ?? 1));
          const { final, open } = reader.read(text.slice(0, end));
          shown = [...final, ...open];
        }

        expect(summary(shown)).toEqual(summary(readMarkdown(text)));
      }),
      { numRuns: Number(process.env.ROBOTA_PROPERTY_RUNS ?? 500), seed: 7 },
    );
  });

  it('starts over when the text is a different one', () => {
    const reader = new IncrementalMarkdown();
    reader.read('# One\n\ntwo\n\nthree');

    expect(reader.read('# Other').final).toEqual([]);
    expect(summary(reader.read('# Other').open)).toEqual(['heading|# Other']);
  });

  it('keeps the objects of finished blocks, so that they are not rendered again', () => {
    const reader = new IncrementalMarkdown();
    const [first] = reader.read('first\n\nsecond\n\nthird').final;

    expect(reader.read('first\n\nsecond\n\nthird and more').final[0]).toBe(first);
  });
});

function summary(tokens: readonly Token[]): string[] {
  return tokens
    .filter(({ type }) => type !== 'space')
    .map(({ type, raw }) => `${type}|${raw.trim()}`);
}
