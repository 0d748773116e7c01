import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const examples = readdirSync(join(root, 'examples')).filter((name) => /^\d\d-.*\.ts$/.test(name));

describe('every example', () => {
  it.concurrent.each(examples)('%s runs offline and finds its own result right', async (name) => {
    const home = mkdtempSync(join(tmpdir(), 'robota-example-home-'));
    try {
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['--conditions=robota-source', '--import', 'tsx', join('examples', name)],
        { cwd: root, env: { PATH: process.env.PATH ?? '', HOME: home } },
      );

      expect(stdout.trimEnd().split('\n').at(-1)).toBe('ok');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});

it('is numbered without a gap', () => {
  const numbers = examples.map((name) => Number(name.slice(0, 2)));

  expect(numbers).toEqual(numbers.map((_, index) => index + 1));
});
