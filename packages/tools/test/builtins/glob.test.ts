import { symlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createGlobTool, globTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call } from '../call.ts';
import { scratch } from '../scratch.ts';

async function project() {
  const folder = await scratch({
    '.gitignore': 'dist/\n*.log\n!keep.log\n',
    'a.ts': '',
    'src/b.tsx': '',
    'src/deep/c.ts': '',
    'src/deep/.hidden.ts': '',
    'src/deep/.gitignore': 'ignored.ts\n',
    'src/deep/ignored.ts': '',
    'src/d.js': '',
    'dist/out.ts': '',
    'x.log': '',
    'keep.log': '',
    'node_modules/m/index.ts': '',
    '.git/config.ts': '',
  });
  return folder;
}

const sorted = (output: string) => output.split('\n').sort();

describe('Glob', () => {
  it('supports full glob syntax and skips files ignored by git', async () => {
    const cwd = await project();
    const find = async (pattern: string) =>
      sorted((await call(globTool, { pattern }, { cwd })).output);

    expect(await find('**/*.{ts,tsx}')).toEqual([
      'a.ts',
      'src/b.tsx',
      'src/deep/.hidden.ts',
      'src/deep/c.ts',
    ]);
    expect(await find('*.ts')).toEqual(['a.ts']);
    expect(await find('src/*')).toEqual(['src/b.tsx', 'src/d.js']);
    expect(await find('*.log')).toEqual(['keep.log']);
    expect(await find('src/d.js')).toEqual(['src/d.js']);
    expect(await find('./src/[bd].*')).toEqual(['src/b.tsx', 'src/d.js']);
    expect(await find(`${cwd}/src/**/c.ts`)).toEqual(['src/deep/c.ts']);
  });

  it('shows the most recently changed first, and says how many more there are', async () => {
    const cwd = await scratch({ 'old.txt': '', 'new.txt': '', 'middle.txt': '' });
    await utimes(join(cwd, 'old.txt'), 1_000, 1_000);
    await utimes(join(cwd, 'middle.txt'), 2_000, 2_000);

    expect((await call(globTool, { pattern: '*' }, { cwd })).output).toBe(
      'new.txt\nmiddle.txt\nold.txt',
    );
    expect((await call(globTool, { pattern: '*', limit: 2 }, { cwd })).output).toBe(
      'new.txt\nmiddle.txt\n\n[Showing 2 of 3 matches. Use limit parameter to see more.]',
    );
  });

  it('terminates on symlink loops', async () => {
    const cwd = await scratch({ 'a/file.txt': '' });
    await symlink('..', join(cwd, 'a/loop'));
    await symlink('file.txt', join(cwd, 'a/link.txt'));

    expect(sorted((await call(globTool, { pattern: '**' }, { cwd })).output)).toEqual([
      'a/file.txt',
      'a/link.txt',
    ]);
  });

  it('says when there is nothing, no such folder, or no access', async () => {
    const cwd = await scratch({ 'a/file.txt': '' });
    const rooted = createGlobTool({ cwd, roots: [join(cwd, 'a')] });

    expect((await call(globTool, { pattern: '*.none' }, { cwd })).output).toBe('(no matches)');
    expect((await call(globTool, { pattern: '*', path: 'none' }, { cwd })).error).toBe(
      'Path not found: none',
    );
    expect((await call(rooted, { pattern: '*' })).error).toBe(
      'Access denied: "." is outside the working directory',
    );
    expect((await call(rooted, { pattern: '../../*', path: 'a' })).error).toBe(
      'Access denied: "../../*" is outside the working directory',
    );
  });

  it('reports the searched folder to the gate', async () => {
    const cwd = await scratch({ 'a/b/file.txt': '' });

    expect(await globTool.touches?.({ pattern: 'b/*.txt', path: 'a' }, { cwd })).toEqual([
      { kind: 'read', target: join(cwd, 'a/b') },
    ]);
  });
});
