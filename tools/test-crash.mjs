// Sessions under SIGKILL: npm run test:crash -- --kills N [--seed N] [--on files|postgres] [--bug PROPERTY]
import { spawnSync } from 'node:child_process';
import { argv, execPath, exit } from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const program = [
  '--conditions=robota-source',
  '--import',
  'tsx',
  'packages/sdk/test/crash/main.ts',
];
const { status } = spawnSync(execPath, [...program, ...argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
});
exit(status ?? 1);
