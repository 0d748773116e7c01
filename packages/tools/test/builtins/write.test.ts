import { chmod, lstat, mkdir, readdir, readFile, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createWriteTool, writeTool } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { call } from '../call.ts';
import { makePipe, scratch } from '../scratch.ts';

describe('Write', () => {
  it('creates a file and its folders', async () => {
    const folder = await scratch();

    expect(
      await call(writeTool, { filePath: 'a/b/c.txt', content: 'grüß\n' }, { cwd: folder }),
    ).toEqual({
      success: true,
      output: 'Written 7 bytes to a/b/c.txt',
    });
    expect(await readFile(join(folder, 'a/b/c.txt'), 'utf8')).toBe('grüß\n');
    expect(await readdir(join(folder, 'a/b'))).toEqual(['c.txt']);
  });

  it('replaces the content and keeps the mode', async () => {
    const path = join(await scratch({ 'run.sh': 'old' }), 'run.sh');
    await chmod(path, 0o754);

    await call(writeTool, { file_path: path, content: 'new' });

    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).mode & 0o7777).toBe(0o754);
  });

  it('writes through a symlink, even a dangling one', async () => {
    const folder = await scratch({ 'real.txt': 'old' });
    await symlink('real.txt', join(folder, 'link.txt'));
    await symlink('later.txt', join(folder, 'dangling.txt'));

    await call(writeTool, { filePath: 'link.txt', content: 'new' }, { cwd: folder });
    await call(writeTool, { filePath: 'dangling.txt', content: 'born' }, { cwd: folder });

    expect(await readFile(join(folder, 'real.txt'), 'utf8')).toBe('new');
    expect(await readFile(join(folder, 'later.txt'), 'utf8')).toBe('born');
    expect((await lstat(join(folder, 'link.txt'))).isSymbolicLink()).toBe(true);
  });

  it('refuses folders, pipes and devices', async () => {
    const folder = await scratch();
    await mkdir(join(folder, 'folder'));
    makePipe(join(folder, 'pipe'));
    const errorOf = async (filePath: string) =>
      (await call(writeTool, { filePath, content: 'x' }, { cwd: folder })).error;

    expect(await errorOf('folder')).toBe('Path is not a file: folder');
    expect(await errorOf('pipe')).toBe('Path is not a file: pipe');
    expect(await errorOf('/dev/null')).toBe('Path is not a file: /dev/null');
  });

  it('says when a folder of the path is a file', async () => {
    const folder = await scratch({ file: 'x' });

    const result = await call(writeTool, { filePath: 'file/a', content: 'x' }, { cwd: folder });

    expect(result.error).toMatch(/^Cannot write file: file\/a \(E(EXIST|NOTDIR): /);
  });

  it('stays inside its roots, also through a dangling symlink', async () => {
    const folder = await scratch({ 'root/in.txt': '' });
    const root = join(folder, 'root');
    await symlink(join(folder, 'escaped.txt'), join(root, 'link.txt'));
    const tool = createWriteTool({ cwd: root, roots: [root] });

    expect((await call(tool, { filePath: 'link.txt', content: 'x' })).error).toBe(
      'Access denied: "link.txt" is outside the working directory',
    );
    expect((await call(tool, { filePath: '/etc/x', content: 'x' })).error).toBe(
      'Access denied: "/etc/x" is outside the working directory',
    );
    expect(await readdir(folder)).toEqual(['root']);
  });

  it('reports the real target to the gate', async () => {
    const folder = await scratch();
    await symlink(join(folder, 'escaped.txt'), join(folder, 'link.txt'));

    expect(
      await writeTool.touches?.({ filePath: 'link.txt', content: '' }, { cwd: folder }),
    ).toEqual([{ kind: 'write', target: join(folder, 'escaped.txt') }]);
  });

  it('never shows a partial file during concurrent writes', async () => {
    const path = join(await scratch({ 'a.txt': 'x'.repeat(100_000) }), 'a.txt');
    const contents = ['a', 'b', 'c', 'd', 'e'].map((letter) => letter.repeat(100_000));

    const writes = contents.map((content) => call(writeTool, { filePath: path, content }));
    const seen = await Promise.all(contents.map(() => readFile(path, 'utf8')));
    await Promise.all(writes);

    expect(seen.filter((text) => !/^(.)\1{99999}$/.test(text))).toEqual([]);
  });
});
