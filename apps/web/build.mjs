// Builds the page into dist/page: one entry, the usage page apart, everything compressed beforehand.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

// The page is what people get, also when a test run has the build made: React for development is slower and larger.
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
    // Served from the same machine, compressed beforehand; the bench guards its size.
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      // "use client" of libraries means nothing here: there is no server part of the page.
      onwarn: (warning, warn) => {
        if (warning.code !== 'MODULE_LEVEL_DIRECTIVE') warn(warning);
      },
    },
  },
});

// The style of an exported file stands by itself: it is written into that file.
await build({
  ...shared,
  publicDir: false,
  build: {
    outDir: output,
    emptyOutDir: false,
    target: ['chrome123', 'firefox120', 'safari17.5'],
    reportCompressedSize: false,
    // Its fonts stand in it too, so that the file looks the same wherever it is opened.
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
