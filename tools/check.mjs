// Everything that can be said about the code without running it: format, style, promises, types, unused code.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
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

const failures = [];
const waiting = CHECKS.map(([name, command, args]) => ({ name, command, args }));
await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exitCode = failures.length === 0 ? 0 : 1;

/** Takes one check after the other; as many do so as there are cores. */
async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const { code, output } = await run(check);
    process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${check.name}\n`);
    if (code === 0) continue;
    failures.push(check.name);
    process.stdout.write(`${output}\n`);
  }
}

function run({ command, args }) {
  const child = spawn('npx', ['--no-install', command, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const pieces = [];
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => pieces.push(piece));
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output: Buffer.concat(pieces).toString() }));
  });
}
