// Builds declarations with tsc, the libraries and the command with esbuild, the page with Vite.
import { spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { BUILD_MARKER, newestSource } from './stale.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const newest = newestSource(root);

process.stderr.write('Building…\n');
step('npx', ['tsc', '-b']);
step('node', ['tools/bundle-packages.mjs']);
const page = 'apps/web/build.mjs';
if (existsSync(join(root, page))) step('node', [page]);
const bundler = 'apps/cli/bundle.mjs';
if (existsSync(join(root, bundler))) step('node', [bundler]);
const outputs = ['packages/core/dist/index.js'];
if (existsSync(join(root, page))) outputs.push('apps/web/dist/page/index.html');
if (existsSync(join(root, bundler))) outputs.push('apps/cli/dist/cli/main.cjs');
writeFileSync(join(root, BUILD_MARKER), JSON.stringify({ newest, outputs }));

function step(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.status !== 0) process.exit(result.status ?? 1);
}
