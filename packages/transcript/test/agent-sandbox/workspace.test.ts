import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import {
  FileTranscriptPersistence,
  MemoryTranscriptPersistence,
  walkTree,
} from '@robota-sdk/agent-transcript/architectures';
import { describe, expect, it } from 'vitest';
import { WorkspaceWatch } from '../../src/workspace/workspace-watch.ts';
import { temporaryFolder, temporaryHome } from '../drivers/temporary-home.ts';

describe('the files of a workspace', () => {
  it.each([
    ['*.log', ['a.log', 'sub/b.log'], ['a.txt']],
    ['/build', ['build/x'], ['sub/build/x']],
    ['build/', ['build/x', 'sub/build/x'], ['sub2/build']],
    ['docs/*.md', ['docs/a.md'], ['docs/sub/a.md', 'x/docs/a.md']],
    ['docs/**/x', ['docs/x', 'docs/a/b/x'], ['x']],
    ['**/tmp', ['tmp/a', 'a/tmp'], ['tmpx']],
    ['cache/**', ['cache/a', 'cache/b/c'], ['a/cache/x']],
    ['a?.[ch]', ['ab.c', 'ax.h'], ['abc.c', 'ab.d']],
    ['*.log\n!keep.log', ['a.log'], ['keep.log', 'sub/keep.log']],
    ['# *.txt\n\\#x', ['#x'], ['a.txt']],
    ['[', [], ['[', 'a']],
    ['trailing.txt   ', ['trailing.txt'], ['trailing.txtx']],
  ])('exclude those ignored by %j', async (rules, ignored, kept) => {
    const root = temporaryFolder();
    for (const path of [...ignored, ...kept]) write(root, path, '');
    write(root, '.gitignore', rules);

    expect(await names(root)).toEqual(['.gitignore', ...kept].sort());
  });

  it('respect rules of subfolders, and include everything without gitignore', async () => {
    const root = temporaryFolder();
    for (const path of ['a/x', 'a/y', 'b/x']) write(root, path, '');
    write(root, 'a/.gitignore', '/x');

    expect(await names(root)).toEqual(['a/.gitignore', 'a/y', 'b/x']);
    expect(await names(root, { heedsGitignore: false })).toContain('a/x');
  });

  it('exclude links and folders created by tools', async () => {
    const home = temporaryHome();
    await home.start();
    const root = home.workspaceDirectory;
    for (const path of ['.venv/x', 'node_modules/x', '.git/x', 'a/__pycache__/x', 'a/b'])
      write(root, path, '');
    symlinkSync('/etc', join(root, 'link'));
    const watch = new WorkspaceWatch(home);

    const changes = await watch.check();

    expect(changes).toEqual([{ kind: 'created', file: { path: 'a/b', content: '' } }]);
  });
});

describe('a binary file', () => {
  const bytes = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x00, 0xff]);

  it('is detected, saved and restored byte for byte', async () => {
    const home = temporaryHome();
    await home.start();
    const watch = new WorkspaceWatch(home);
    writeFileSync(join(home.workspaceDirectory, 'a.png'), bytes);

    const [change] = await watch.check();

    const file = change?.kind === 'deleted' ? undefined : change?.file;
    expect(file).toEqual({ path: 'a.png', content: bytes.toString('base64'), encoding: 'base64' });
  });

  it.each([
    ['memory', () => new MemoryTranscriptPersistence()],
    ['file', () => new FileTranscriptPersistence(temporaryFolder())],
  ])('is saved in %s', async (_, make) => {
    const persistence = make();
    await persistence.createSessionRecord({
      sessionId: 'one',
      type: 'codex',
      agentProfileReference: 'none',
      status: 'pending',
    });
    const file = { path: 'a.png', content: bytes.toString('base64'), encoding: 'base64' } as const;
    await persistence.saveWorkspaceFile('one', file);
    await persistence.saveWorkspaceFile('one', { path: 'b.txt', content: 'täxt' });

    const saved = await persistence.loadSession('one');

    expect(saved?.workspaceFiles).toEqual([file, { path: 'b.txt', content: 'täxt' }]);
  });
});

function write(root: string, path: string, content: string): void {
  const file = join(root, path);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  writeFileSync(file, content);
  expect(readFileSync(file, 'utf8')).toBe(content);
}

async function names(root: string, options = {}): Promise<string[]> {
  return (await walkTree(root, options)).map(({ path }) => relative(root, path)).sort();
}
