import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSettings } from '../packages/sdk/src/config/check-settings.ts';
import { resolveSettingsInCode } from '../packages/sdk/src/config/resolve-settings.ts';
import { parseSkill } from '../packages/sdk/src/skills/parse-skill.ts';
import { forArchive, openDocumentArchive } from './documents/document-archive.ts';
import { createDocumentPlace } from './documents/document-place.ts';
import { readBlocks, readShellBlocks } from './documents/read-document.ts';
import { runBlock } from './documents/run-block.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = ['README.md', ...markdownIn('docs'), ...markdownIn('docs/guide')];

/** The blocks of a document run one after the other in the same place. */
describe('shell commands of the documents', () => {
  it.concurrent.each(DOCUMENTS)('work as written in %s', { timeout: 120_000 }, async (name) => {
    using place = createDocumentPlace();
    const blocks = readShellBlocks(join(ROOT, name)).filter(({ run }) => run !== 'not here');
    const needsArchive = blocks.some(({ needs }) => needs !== 'nothing');
    await using archive = needsArchive ? await openDocumentArchive() : undefined;
    for (const written of blocks) {
      const block = forArchive(written, archive);
      if (block === undefined) continue;
      const { code, output } = await runBlock(block, place);
      expect(code, `${name}:${block.line}\n${block.text}\n${output}`).toBe(0);
    }
  });
});

/** Files of editors, which are not settings of ours. */
const OF_EDITORS = 'agent_servers';

describe('files in the documents', () => {
  it.each(inAll('json'))('are settings without a mistake: $place', ({ text }) => {
    const value = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (OF_EDITORS in value) return;

    const { settings, problems } = checkSettings(value);

    expect(problems).toEqual([]);
    expect(Object.keys(settings)).toEqual(Object.keys(value));
    expect(resolveSettingsInCode(settings).notices).toEqual([]);
  });

  it.each(inAll('markdown'))('are skills that can be read: $place', ({ text }) => {
    const skill = parseSkill(text, { file: 'SKILL.md', fallbackName: '', scope: 'user' });

    expect(skill).toMatchObject({
      name: expect.stringMatching(/./),
      description: expect.stringMatching(/./),
    });
  });
});

function inAll(language: string): { readonly place: string; readonly text: string }[] {
  return DOCUMENTS.flatMap((name) =>
    readBlocks(join(ROOT, name), language).map(({ line, text }) => ({
      place: `${name}:${line}`,
      text,
    })),
  );
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}
