// Builds the page into dist/page: one entry, a separate chunk for the usage page, all files precompressed.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

// Always a production build, also in test runs: React's development build is slower and larger.
process.env.NODE_ENV = 'production';

const here = import.meta.dirname;
const output = join(here, 'dist/page');

const shared = {
  root: here,
  configFile: false,
  logLevel: 'warn',
  envDir: false,
  resolve: { conditions: ['robota-source', 'module', 'browser', 'production'] },
};

await build({
  ...shared,
  build: {
    outDir: output,
    emptyOutDir: true,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Served locally and precompressed; a benchmark guards its size.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // "use client" directives are irrelevant: the page has no server rendering.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});

// The style of exported files is built separately and embedded in each file.
await build({
  ...shared,
  publicDir: false,
  build: {
    outDir: output,
    emptyOutDir: false,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    // Fonts are inlined, so that the file looks the same everywhere.
    assetsInlineLimit: 1_000_000,
    rolldownOptions: {
      input: join(here, 'src/styles/export.css'),
      output: { assetFileNames: 'export.css' },
    },
  },
});

for (const name of readdirSync(output, { recursive: true })) {
  if (!/\.(?:html|js|css|svg)$/.test(name)) continue;
  const path = join(output, name);
  const bytes = readFileSync(path);
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, options));
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }));
}
