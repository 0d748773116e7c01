import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type ParagraphScan, scanParagraphs } from '../../../src/terminal/state/paragraph-scan.ts';

const line = fc.constantFrom('text', '', '  indented', '```', '````md', '~~~', '- item', '   ');

it('finds the same paragraphs however the text arrives', () => {
  fc.assert(
    fc.property(
      fc.array(line, { maxLength: 20 }),
      fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 60 }),
      (lines, steps) => {
        const content = lines.join('\n');
        let arrived = 0;
        let scan: ParagraphScan | undefined;
        for (const step of [...steps, content.length]) {
          arrived = Math.min(content.length, arrived + step);
          scan = scanParagraphs({ id: 'a', content: content.slice(0, arrived) }, 0, scan);
        }

        expect(scan?.stable).toBe(scanParagraphs({ id: 'a', content }, 0, undefined).stable);
      },
    ),
    { numRuns: 1_000 },
  );
});

it('begins anew for another block and for a part that was printed', () => {
  const content = 'one\n\ntwo\n\nthree';
  const scan = scanParagraphs({ id: 'a', content }, 0, undefined);

  expect(scan.stable).toBe(content.indexOf('three'));
  expect(scanParagraphs({ id: 'a', content }, scan.stable, scan).stable).toBe(scan.stable);
  expect(scanParagraphs({ id: 'b', content: 'one\n\ntwo' }, 0, scan).stable).toBe(5);
});
