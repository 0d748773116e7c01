import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import type { BenchRow, BenchValue } from '../harness.ts';

const root = join(import.meta.dirname, '../..');

/**
 * What a page imports; React is the page's own. From the transcript package it renders blocks, folds a log or parses the
 * files of one agent; `parseTranscripts` includes all parsers.
 */
const ENTRIES = [
  "export * from '@robota-sdk/agent-core/log'",
  "export { applyStreamEvent, describeTool, EMPTY_CONVERSATION } from '@robota-sdk/agent-transcript'",
  "export * from '@robota-sdk/agent-transcript/blocks'",
  "export { parseClaudeTranscriptFile } from '@robota-sdk/agent-transcript'",
  "export { parseCodexTranscriptFile } from '@robota-sdk/agent-transcript'",
  "export { parseGeminiTranscriptFile } from '@robota-sdk/agent-transcript'",
  "export * from '@robota-sdk/agent-transport/client'",
  "export * from '@robota-sdk/agent-transport/react'",
];

export const rows: readonly BenchRow[] = [
  {
    name: 'transport: the largest entry for browsers, as published, bundled and compressed',
    unit: 'KB',
    target: 30,
    measure: largestEntry,
  },
];

async function largestEntry(): Promise<BenchValue> {
  const sizes = await Promise.all(ENTRIES.map(sizeOf));
  const detail = sizes.map((size, index) => `${ENTRIES[index]} ${size.toFixed(1)}`).join(', ');
  return { value: Math.max(...sizes), detail };
}

async function sizeOf(entry: string): Promise<number> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    stdin: { contents: entry, resolveDir: root },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    external: ['react'],
  });
  return outputFiles.reduce((sum, { contents }) => sum + gzipSync(contents).length, 0) / 1024;
}
