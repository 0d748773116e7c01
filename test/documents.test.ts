import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createDocumentPlace } from './documents/document-place.ts';
import { readShellBlocks } from './documents/read-document.ts';
import { runBlock } from './documents/run-block.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', ...markdownIn('docs'), ...markdownIn('docs/guide')];

/** The blocks of a document run one after the other in the same place. */
describe('shell commands of the documents', () => {
  it.concurrent.each(DOCUMENTS)('work as written in %s', { timeout: 120_000 }, async (name) => {
    using place = createDocumentPlace();
    for (const block of readShellBlocks(join(ROOT, name))) {
      if (block.run === 'not here') continue;
      const { code, output } = await runBlock(block, place);
      expect(code, `${name}:${block.line}\n${block.text}\n${output}`).toBe(0);
    }
  });
});

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}
