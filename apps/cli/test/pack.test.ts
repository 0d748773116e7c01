import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// Builds what is out of date.
import './support/program.ts';

const root = join(import.meta.dirname, '../../..');
/** What the packed program needs from elsewhere; taken from here, so that no registry is asked. */
const NATIVE = ['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build'];

let scratch: string;
let app: string;

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'robota-pack-'));
  app = join(scratch, 'app');
  mkdirSync(app);
  const sources = [
    join(root, 'apps/cli'),
    ...NATIVE.map((name) => join(root, 'node_modules', name)),
  ];
  npm(['pack', '--silent', '--ignore-scripts', '--pack-destination', scratch, ...sources], root);
  const tarballs = readdirSync(scratch)
    .filter((name) => name.endsWith('.tgz'))
    .map((name) => join(scratch, name));
  npm(
    [
      'install',
      '--offline',
      '--omit=optional',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      ...tarballs,
    ],
    app,
  );
}, 120_000);

afterAll(() => {
  rmSync(scratch, { recursive: true, force: true });
});

function npm(args: readonly string[], cwd: string): void {
  execFileSync('npm', args, {
    cwd,
    env: { ...process.env, npm_config_cache: join(scratch, 'cache') },
    stdio: 'pipe',
  });
}

function robota(...args: string[]): string {
  const home = join(scratch, 'home');
  mkdirSync(home, { recursive: true });
  return execFileSync(join(app, 'node_modules/.bin/robota'), args, {
    cwd: home,
    env: { PATH: process.env.PATH ?? '', HOME: home },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

describe('the packed program, installed into an empty directory', () => {
  it('knows its version', () => {
    expect(robota('--version')).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('answers and finds the session again', () => {
    expect(robota('-p', 'list files', '--provider', 'demo', '--session-id', 'packed')).toContain(
      'Glob is done',
    );
    expect(robota('sessions', 'list')).toContain('packed');
  });

  it('finds nothing wrong with itself', () => {
    expect(robota('doctor')).toContain('✓ Store sqlite');
  });
});
