import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../../..');

/** Files that are loaded together with an entry, without those behind `import()`. */
async function loadedWith(entry: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    outdir: 'out',
    write: false,
    metafile: true,
    platform: 'node',
    format: 'esm',
    packages: 'bundle',
    external: ['@photostructure/sqlite', '@pydantic/genai-prices'],
    conditions: ['robota-source'],
    logLevel: 'silent',
  });
  const first = Object.entries(metafile.outputs).find(([, output]) => output.entryPoint === entry);
  const reached = new Set([first?.[0] ?? '']);
  // Grows while it is read.
  for (const name of reached) {
    for (const { path, kind } of metafile.outputs[name]?.imports ?? [])
      if (kind === 'import-statement') reached.add(path);
  }
  return [...reached].flatMap((name) => Object.keys(metafile.outputs[name]?.inputs ?? {}));
}

it('answers without a parser, a price table or a redactor', async () => {
  const loaded = await loadedWith('packages/archive/src/sqlite/index.ts');

  expect(loaded).toContain('packages/archive/src/sqlite/list.ts');
  expect(loaded.filter((path) => /architectures|core\/src|session\/src/.test(path))).toEqual([]);
});

it('names no driver in the root entry', async () => {
  const loaded = await loadedWith('packages/archive/src/index.ts');

  expect(loaded.filter((path) => /sqlite/.test(path))).toEqual([]);
});
