// Everything that can be said about the code without running it: format, style, promises, types, unused code.
import { spawnSync } from 'node:child_process';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const CHECKS = [
  [
    'format and style',
    'biome',
    ['ci', '--max-diagnostics=none', '--error-on-warnings', '--colors=off'],
  ],
  [
    'promises and switches',
    'oxlint',
    ['--type-aware', '--deny-warnings', 'packages', 'apps', 'test', 'bench', 'examples'],
  ],
  ['types', 'tsc', ['-b']],
  ['types of tests', 'tsc', ['-p', 'tsconfig.test.json']],
  ['unused code', 'knip', ['--no-progress']],
];

let failures = 0;
for (const [name, command, args] of CHECKS) {
  const result = spawnSync('npx', ['--no-install', command, ...args], {
    cwd: root,
    encoding: 'utf8',
  });
  const passed = result.status === 0;
  process.stdout.write(`${passed ? 'ok  ' : 'FAIL'} ${name}\n`);
  if (passed) continue;
  failures += 1;
  process.stdout.write(`${result.stdout}${result.stderr}\n`);
}
process.exitCode = failures === 0 ? 0 : 1;
