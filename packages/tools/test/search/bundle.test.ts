import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { scratch } from '../scratch.ts';

const entry = `
import { createGrepTool } from '@robota-sdk/agent-tools';
const tool = createGrepTool({ engine: 'javascript', cwd: process.argv[2] });
const { data } = await tool.execute({ pattern: 'need(?=le)', outputMode: 'content' });
process.stdout.write(JSON.parse(data).output);
`;

it.each([
  { minify: true, keepNames: false },
  { minify: true, keepNames: true },
  { minify: false, keepNames: true },
])('the search thread works from a single bundled file: $minify $keepNames', async (form) => {
  const folder = await scratch({ 'hay/a.txt': 'straw\nneedle\n' });
  const bundle = join(folder, 'bundle.mjs');
  const { outputFiles } = await build({
    stdin: { contents: entry, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    conditions: ['robota-source'],
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    ...form,
  });
  await writeFile(bundle, outputFiles[0]?.contents ?? '');

  const { stdout } = await promisify(execFile)(process.execPath, [bundle, join(folder, 'hay')]);

  expect(stdout).toBe(`${folder}/hay/a.txt:2:needle`);
});
