import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlace, type Place } from './support/run-robota.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});

afterEach(() => {
  place[Symbol.dispose]();
});

const BIN = join(import.meta.dirname, '../bin/robota.cjs');

/** A disk of its own can be mounted where the system lets everybody have a mount namespace. */
const MAY_MOUNT =
  spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

/** The home on a disk of 4 MB, or, where nothing can be mounted, files that must not grow. */
const DISK = MAY_MOUNT
  ? {
      shell: ['unshare', '-rm', 'sh', '-c'],
      mount: 'mount -t tmpfs -o size=4m tmpfs "$HOME/.robota"',
      fill: 'dd if=/dev/zero of="$HOME/.robota/fill" bs=1k 2>/dev/null; true',
      empty: 'rm "$HOME/.robota/fill"',
      says: 'the disk is full; free some space (ENOSPC)',
    }
  : {
      shell: ['sh', '-c'],
      mount: 'true',
      fill: 'ulimit -S -f 0',
      empty: 'ulimit -S -f unlimited',
      says: 'files must not become larger; raise the limit (ulimit -f) (EFBIG)',
    };

/** Runs the program at each step, one after the other on the same disk; what each said, and its exit code. */
function runSteps(
  steps: Readonly<Record<string, string>>,
): Map<string, { code: number; said: string }> {
  mkdirSync(join(place.home, '.robota'));
  const script = [DISK.mount];
  for (const [name, step] of Object.entries(steps)) {
    const isProgram = step.startsWith('robota ');
    const line = step.replace(/^robota/, `'${process.execPath}' '${BIN}'`);
    script.push(isProgram ? `echo "@${name}"; ${line} </dev/null 2>&1; echo "@@$?"` : step);
  }
  const [file = 'sh', ...args] = [...DISK.shell, script.join('\n')];
  const { stdout } = spawnSync(file, args, {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home },
    encoding: 'utf8',
    timeout: 120_000,
  });
  const found = stdout.matchAll(/^@(\w+)\n([\s\S]*?)^@@(\d+)$/gm);
  return new Map(
    [...found].map(([, name = '', said = '', code]) => [name, { code: Number(code), said }]),
  );
}

it('a full disk is told with what to do, fails the run, and heals', { timeout: 150_000 }, () => {
  const ran = runSteps({
    before: 'robota -p "list files" --provider demo',
    fill: DISK.fill,
    full: 'robota -p "list files" --provider demo',
    doctor: 'robota doctor',
    empty: DISK.empty,
    after: 'robota -p -c "list files" --provider demo',
    healthy: 'robota doctor',
  });

  expect([...ran].map(([name, { code }]) => [name, code])).toEqual([
    ['before', 0],
    ['full', 1],
    ['doctor', 1],
    ['after', 0],
    ['healthy', 0],
  ]);
  expect(ran.get('full')?.said).toContain(DISK.says);
  expect(ran.get('full')?.said).toContain('Glob is done');
  expect(ran.get('full')?.said).not.toMatch(/^ {4}at /m);
  expect(ran.get('doctor')?.said).toMatch(/✗ Home: .*cannot be written: .*/);
  expect(ran.get('doctor')?.said).toContain(DISK.says);
  expect(ran.get('healthy')?.said).toContain('✓ Home');
});
