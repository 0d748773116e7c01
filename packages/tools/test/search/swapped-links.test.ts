import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createGlobTool, createGrepTool } from '@robota-sdk/agent-tools';
import { describe, expect, it, onTestFinished } from 'vitest';
import { isFoundInPlace } from '../../src/search/file-in-place.ts';
import { searchWithJavaScript } from '../../src/search/javascript-engine.ts';
import { walkFiles } from '../../src/search/walk-files.ts';
import { call } from '../call.ts';
import { scratch } from '../scratch.ts';

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const { signal } = new AbortController();
const query = {
  pattern: 'word',
  ignoreCase: false,
  accepts: () => true,
  mode: 'content',
  before: 0,
  after: 0,
  mostLines: 10,
} as const;

describe('where a link was put after the path was checked', () => {
  it('a walk lists nothing, and a search reads nothing', async () => {
    const folder = await scratch({ 'real/a.txt': 'a word\n' });
    const link = join(folder, 'link');
    await symlink('real', link);
    const read = (root: string, rootKind: 'file' | 'folder') =>
      all(searchWithJavaScript({ ...query, root, rootKind }, signal));

    expect(await all(walkFiles(join(folder, 'real'), { signal }))).toHaveLength(1);
    expect(await all(walkFiles(link, { signal }))).toEqual([]);
    expect(await read(join(folder, 'real/a.txt'), 'file')).toHaveLength(1);
    expect(await read(join(link, 'a.txt'), 'file')).toEqual([]);
    expect(await read(link, 'folder')).toEqual([]);
  });

  it('a hit counts only when the file itself has its lines', async () => {
    const folder = await scratch({ 'real/a.txt': 'one\r\na word \u{1f600}\n' });
    await symlink('real', join(folder, 'link'));
    const file = join(folder, 'real/a.txt');
    const line = { number: 2, text: 'a word \u{1f600}', isMatch: true };
    const first = { number: 1, text: 'one', isMatch: false };

    expect(isFoundInPlace({ file, count: 1, lines: [first, line] })).toBe(true);
    expect(isFoundInPlace({ file, count: 1, lines: [] })).toBe(true);
    expect(isFoundInPlace({ file, count: 1, lines: [{ ...line, text: 'a secret' }] })).toBe(false);
    expect(isFoundInPlace({ file, count: 1, lines: [{ ...line, number: 9 }] })).toBe(false);
    const linked = join(folder, 'link/a.txt');
    expect(isFoundInPlace({ file: linked, count: 1, lines: [line] })).toBe(false);
    expect(isFoundInPlace({ file: join(folder, 'gone'), count: 1, lines: [] })).toBe(false);
  });

  it('lines of a large file are found, across its parts and without a line end', async () => {
    const long = 'x'.repeat(1_500_000);
    const folder = await scratch({
      'big.txt': `${long}\n\n${'short\n'.repeat(300_000)}${long} word`,
    });
    const file = join(folder, 'big.txt');
    const hit = (number: number, text: string) => ({ number, text, isMatch: true });
    const lines = [hit(1, long), hit(2, ''), hit(300_002, 'short'), hit(300_003, `${long} word`)];

    expect(isFoundInPlace({ file, count: 4, lines })).toBe(true);
    expect(isFoundInPlace({ file, count: 1, lines: [hit(300_003, `${long} wore`)] })).toBe(false);
    expect(isFoundInPlace({ file, count: 1, lines: [hit(300_004, 'short')] })).toBe(false);
  });
});

/** Replaces `folder` by a link to `outside` and back until it is ended. */
const SWAP = `
  const { renameSync } = require('node:fs');
  const [folder, link, kept] = process.argv.slice(1);
  process.stdout.write('ready');
  for (;;) {
    renameSync(folder, kept);
    renameSync(link, folder);
    renameSync(folder, link);
    renameSync(kept, folder);
  }`;

describe.each(['ripgrep', 'javascript'] as const)(
  'while a folder is swapped, with %s',
  (engine) => {
    it('nothing from outside is listed or read', async () => {
      const outside = await scratch({ 'token.txt': 'the word of another\n' });
      const project = await scratch({ 'src/a.txt': 'a word\n' });
      await mkdir(join(project, '.keep'));
      const link = join(project, '.keep/link');
      await symlink(outside, link);
      const paths = [join(project, 'src'), link, join(project, '.keep/real')];
      const swapper = spawn(process.execPath, ['-e', SWAP, ...paths], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      onTestFinished(() => void swapper.kill('SIGKILL'));
      await once(swapper.stdout, 'data');
      const grep = createGrepTool({ cwd: project, roots: [project], engine });
      const glob = createGlobTool({ cwd: project, roots: [project] });

      for (let round = 0; round < 25; round++) {
        const read = await call(grep, { pattern: 'word', path: 'src', outputMode: 'content' });
        const listed = await call(glob, { pattern: '**/*.txt', path: 'src' });
        expect(`${JSON.stringify(read)} ${JSON.stringify(listed)}`).not.toMatch(/another|token/);
      }
      swapper.kill('SIGKILL');
      await once(swapper, 'exit');
    });
  },
);
