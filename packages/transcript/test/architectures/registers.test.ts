import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AGENT_ARCHITECTURE_TYPE } from '@robota-sdk/agent-transcript';
import { expect, expectTypeOf, it } from 'vitest';

const src = join(import.meta.dirname, '../../src');

it('knows four agents', () => {
  expectTypeOf<AGENT_ARCHITECTURE_TYPE>().toEqualTypeOf<
    'claude-agent-sdk' | 'gemini-cli' | 'codex' | 'robota'
  >();
});

it('asks nowhere outside the folders of the agents which agent it is', () => {
  const outside = sourceFiles(src).filter((file) => !/^architectures\/[^/]+\//.test(file));
  const asking = outside.filter((file) => {
    const code = readFileSync(join(src, file), 'utf8');
    return /(?:[!=]==\s*|case\s+)'(?:claude-agent-sdk|gemini-cli|codex|robota)'/.test(code);
  });

  expect(asking).toEqual([]);
});

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(src, join(entry.parentPath, entry.name)));
}
