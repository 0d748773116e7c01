// Tests the built page in a real browser: Debian's Chromium, or the one that ROBOTA_CHROMIUM names.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import process from 'node:process';

const root = new URL('..', import.meta.url).pathname;
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

const built = spawnSync('node', ['apps/web/build.mjs'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) process.exit(built.status ?? 1);
const result = spawnSync(
  'npx',
  [
    '--no-install',
    'vitest',
    'run',
    '--config',
    'apps/web/test/browser/vitest.config.ts',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ROBOTA_CHROMIUM: chromium } },
);
process.exitCode = result.status ?? 1;
