import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyProject } from '@robota-sdk/agent-archive';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { normaliseRemote } from '../../src/reading/git-repository.ts';
import { claudePath, claudeTurn, temporaryHome, writeLines } from '../generated-home.ts';

function repository(path: string, remote?: string): string {
  mkdirSync(join(path, '.git'), { recursive: true });
  const section = remote === undefined ? '' : `[remote "origin"]\n\turl = ${remote}\n`;
  writeFileSync(join(path, '.git/config'), `[core]\n\tbare = false\n${section}`);
  return path;
}

describe('the remote of a repository', () => {
  it.each([
    'git@github.com:owner/name.git',
    'https://github.com/owner/name',
    'https://user:token@GitHub.com/owner/name.git/',
    'ssh://git@github.com:22/owner/name.git',
  ])('%s is github.com/owner/name', (url) => {
    expect(normaliseRemote(url)).toBe('github.com/owner/name');
  });

  it('may be a path', () => {
    expect(normaliseRemote('/srv/git/name.git')).toBe('/srv/git/name');
  });
});

describe('the project of a directory', () => {
  it('is that of its remote, in folders below, clones and work trees alike', () => {
    const home = temporaryHome();
    const one = repository(join(home, 'one'), 'git@github.com:owner/name.git');
    const other = repository(join(home, 'other'), 'https://github.com/owner/name');
    const tree = join(home, 'tree');
    mkdirSync(join(one, '.git/worktrees/tree'), { recursive: true });
    writeFileSync(join(one, '.git/worktrees/tree/commondir'), '../..\n');
    mkdirSync(tree);
    writeFileSync(join(tree, '.git'), `gitdir: ${join(one, '.git/worktrees/tree')}\n`);
    mkdirSync(join(one, 'src/deep'), { recursive: true });

    const keys = [one, join(one, 'src/deep'), other, tree].map((path) => identifyProject(path).key);

    expect(new Set(keys)).toEqual(new Set(['remote:github.com/owner/name']));
  });

  it('without a remote is the place of the repository, however it is reached', () => {
    const home = temporaryHome();
    const path = repository(join(home, 'alone'));
    symlinkSync(path, join(home, 'link'));

    expect(identifyProject(join(home, 'link'))).toEqual(identifyProject(path));
    expect(identifyProject(path).name).toBe('alone');
  });

  it('is known although its configuration is a pipe or of monstrous lines', () => {
    const home = temporaryHome();
    const piped = repository(join(home, 'piped'));
    rmSync(join(piped, '.git/config'));
    execFileSync('mkfifo', [join(piped, '.git/config')]);
    const long = repository(join(home, 'long'));
    const spaces = ' '.repeat(400_000);
    writeFileSync(join(long, '.git/config'), `[remote "a"]\n\turl = x${spaces}y\n[${spaces}\n`);

    expect(identifyProject(piped).name).toBe('piped');
    expect(identifyProject(long).key).toMatch(/^remote:/);
  });

  it('stays the same when the directory is moved', async () => {
    const home = temporaryHome();
    const before = repository(join(home, 'before'), 'git@github.com:owner/name.git');
    const turn = { id: 't', prompt: 'Hello', answer: 'Yes.' };
    writeLines(claudePath(home, 's1'), claudeTurn(turn, { sessionId: 's1', cwd: before }));
    const catalogue = new SqliteCatalogue({ home, environment: {} });
    onTestFinished(() => catalogue.close());
    await catalogue.refresh();
    const after = join(home, 'after');
    renameSync(before, after);
    writeLines(claudePath(home, 's2'), claudeTurn(turn, { sessionId: 's2', cwd: after }));
    await catalogue.refresh();

    const { sessions } = await catalogue.list({ here: after });

    expect(sessions.map(({ id }) => id).sort()).toEqual(['s1', 's2']);
  });
});
