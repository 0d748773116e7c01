// Tests the built page in a real browser: Debian's Chromium, or the one that ROBOTA_CHROMIUM names.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const PLACES = [
  process.env.ROBOTA_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
const chromium = PLACES.find((path) => path !== undefined && existsSync(path));
if (chromium === undefined) {
  process.stdout.write(
    '\nNOT TESTED: the page in a browser. No Chromium was found; install one ("apt-get install chromium") or name it in ROBOTA_CHROMIUM.\n\n',
  );
  // Where the browser is promised, such as in CI, its absence is a failure.
  process.exit(process.env.ROBOTA_REQUIRE_CHROMIUM === '1' ? 1 : 0);
}

// `--core`: what a person does with the page on a real server, for every test run; the rest takes minutes.
const args = process.argv.slice(2);
const isCore = args.includes('--core');
const core = isCore
  ? ['real', 'actions'].map((name) => `apps/web/test/browser/${name}.browser.test.ts`)
  : [];
const result = spawnSync(
  'npx',
  [
    '--no-install',
    'vitest',
    'run',
    '--config',
    'apps/web/test/browser/vitest.config.ts',
    ...core,
    ...args.filter((arg) => arg !== '--core'),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ROBOTA_CHROMIUM: chromium } },
);
if (result.signal) process.stdout.write(`The tests in a browser were ended by ${result.signal}.\n`);
process.exitCode = result.status ?? 1;
