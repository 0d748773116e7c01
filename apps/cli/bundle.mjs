// Bundles the command into dist/cli: one entry, and a chunk for everything that is loaded only when needed.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const outdir = join(here, 'dist/cli');
rmSync(outdir, { recursive: true, force: true });

await build({
  absWorkingDir: here,
  entryPoints: ['src/main.ts'],
  outdir,
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  conditions: ['source'],
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  // Native packages and drivers of other people's databases stay outside; the rest is ours to load fast.
  external: ['@photostructure/sqlite', '@vscode/ripgrep'],
  alias: { 'react-devtools-core': join(here, 'react-devtools-stub.cjs') },
  // Bundled CommonJS packages call require for Node's own modules.
  banner: {
    js: "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);",
  },
  logLevel: 'warning',
});
