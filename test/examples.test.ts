import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import '../apps/cli/test/support/program.ts';
import { OwnPostgres } from '../packages/store/test/databases/own-postgres.ts';

const root = join(import.meta.dirname, '..');
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.ts$/.test(name));

/** As root the example would need a new user for its database on this machine. */
function needsDatabase(name: string): boolean {
  return name.includes('three-nodes') && process.getuid?.() === 0;
}

// On the built packages, which are up to date: they load in a third of the time of their sources.
describe('every example', { timeout: 120_000 }, () => {
  it.concurrent.each(examples)('%s runs offline and verifies its own result', async (name) => {
    const home = mkdtempSync(join(tmpdir(), 'robota-example-home-'));
    const database = needsDatabase(name) ? await OwnPostgres.start() : undefined;
    const archive = database ? { ROBOTA_ARCHIVE: database.url } : {};
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--import', 'tsx', join('examples', name)],
        { cwd: root, env: { PATH: process.env.PATH ?? '', HOME: home, ...archive } },
      );

      expect(stdout.trimEnd().split('\n').at(-1)).toBe('ok');
    } finally {
      await database?.stop();
      rmSync(home, { recursive: true, force: true });
    }
  });
});

it('numbers the examples without a gap', () => {
  const numbers = examples.map((name) => Number(name.slice(0, 2)));

  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
