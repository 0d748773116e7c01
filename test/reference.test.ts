import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SETTING_DESCRIPTIONS } from '../packages/sdk/src/config/setting-descriptions.ts';
import { VARIABLES } from '../tools/reference/environment-table.ts';
import { referenceFiles } from '../tools/reference/reference-files.ts';
import { settingPaths } from '../tools/reference/settings-reference.ts';

const ROOT = join(import.meta.dirname, '..');
const FILES = referenceFiles().map(({ path, text }) => ({ name: relative(ROOT, path), text }));

describe('the references in docs', () => {
  it.each(FILES)('match the code: $name (npm run reference)', ({ name, text }) => {
    expect(readFileSync(join(ROOT, name), 'utf8')).toBe(text);
  });

  it('describe every setting, and no unknown ones', () => {
    expect(Object.keys(SETTING_DESCRIPTIONS).sort()).toEqual([...settingPaths().keys()].sort());
  });

  it('describe every environment variable that is read, and no others', () => {
    expect([...variablesRead()].sort()).toEqual(Object.keys(VARIABLES).sort());
  });

  it('list every flag of every command', () => {
    const page = readFileSync(join(ROOT, 'docs/guide/configuration.md'), 'utf8');
    const flags = [...sources('apps/cli/src')].flatMap((text) =>
      [...text.matchAll(/\b([a-z][a-z-]*)'?: \{ type: '(?:string|boolean)'/g)].map(
        (match) => `--${match[1] ?? ''}`,
      ),
    );

    expect(flags.length).toBeGreaterThan(50);
    expect([...new Set(flags)].filter((flag) => !page.includes(flag))).toEqual([]);
  });
});

/** Set by us for child programs, or variables of other programs. */
const NOT_READ = ['ROBOTA_CALL', 'ROBOTA_AGENT_PROCESS'];
const MEMBER = /\b(?:env|environment)\.([A-Z][A-Z0-9_]+)\b/g;
const DESTRUCTURED = /\{ ([A-Z][A-Z0-9_, ]+) \}(?:: Environment| = process\.env)/g;
const NAMED =
  /'((?:ROBOTA|ANTHROPIC|OPENAI|GEMINI|GOOGLE|OLLAMA|BRAVE)_[A-Z0-9_]+|[A-Z0-9]+_(?:API_KEY|BASE_URL))'/g;

function variablesRead(): Set<string> {
  const found = [...sources('packages'), ...sources('apps/cli/src')].flatMap((text) => [
    ...[...text.matchAll(MEMBER), ...text.matchAll(NAMED)].map((match) => match[1] ?? ''),
    ...[...text.matchAll(DESTRUCTURED)].flatMap((match) => (match[1] ?? '').split(', ')),
  ]);
  return new Set(found.filter((name) => !NOT_READ.includes(name)));
}

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!['node_modules', 'test', 'dist'].includes(entry.name)) yield* sources(path);
    } else if (/\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts')) {
      yield readFileSync(join(ROOT, path), 'utf8');
    }
  }
}
