import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './packed.ts';

/** A sample program of the documentation. */
export interface Sample {
  /** Document and index. */
  readonly name: string;
  readonly file: string;
  /** False when it needs something that is not available here; it is only compiled then. */
  readonly isRun: boolean;
}

const DOCUMENTS = [
  'README.md',
  ...readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`),
  ...markdownIn('docs'),
  ...markdownIn('docs/guide'),
];

function markdownIn(folder: string): string[] {
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** A program, and the optional comment above it with the reason not to run it. */
const BLOCK = /(<!-- not run here: [^\n]*-->\n)?^```ts\n([\s\S]*?)^```$/gm;

/** Writes every `ts` block of the documentation as a program, with the files it needs. */
export function writeSamples(folder: string): Sample[] {
  mkdirSync(folder, { recursive: true });
  copyFileSync(join(root, TRANSCRIPT), join(folder, '../session.jsonl'));
  return DOCUMENTS.flatMap((document) => {
    const blocks = readFileSync(join(root, document), 'utf8').matchAll(BLOCK);
    return [...blocks].map(([, notRun, program = ''], index) => {
      const name = `${document} ${index + 1}`;
      const file = `${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}.ts`;
      writeFileSync(join(folder, file), program);
      return { name, file, isRun: notRun === undefined };
    });
  });
}

/** A session of Claude Code, for programs that read one. */
const TRANSCRIPT =
  'packages/transcript/test/fixtures/claude/2.0.76/text/home/00000000-0000-4000-8000-000000000001.jsonl';

export const SAMPLE_COMPILER_OPTIONS = {
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.asynciterable'],
  module: 'nodenext',
  strict: true,
  types: ['node'],
  skipLibCheck: false,
  rootDir: 'samples',
  outDir: 'built',
} as const;
