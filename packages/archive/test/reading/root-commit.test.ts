import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findRootCommit } from '../../src/reading/root-commit.ts';
import { temporaryHome } from '../generated-home.ts';

function git(cwd: string, ...args: string[]): string {
  const environment = {
    PATH: process.env.PATH,
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@example.com',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@example.com',
  };
  return execFileSync('git', args, {
    cwd,
    env: environment,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();
}

/** A repository with a line of commits; gives its folder and its first commit. */
function repository(
  commits: number,
  message = 'A change that is described at some length',
): {
  readonly path: string;
  readonly folder: string;
  readonly root: string | undefined;
} {
  const path = join(temporaryHome(), 'work');
  mkdirSync(path);
  git(path, 'init', '-q', '-b', 'main');
  for (let count = 1; count <= commits; count++)
    git(path, 'commit', '-q', '--allow-empty', '-m', `${message}, number ${count}`);
  const root = commits === 0 ? undefined : git(path, 'rev-list', '--max-parents=0', 'HEAD');
  return { path, folder: join(path, '.git'), root };
}

describe('the first commit of a repository', () => {
  it('is found among loose objects', () => {
    const { folder, root } = repository(3);

    expect(findRootCommit(folder)).toBe(root);
  });

  it('is found in packs, deltas included, with packed references', () => {
    const { path, folder, root } = repository(12, 'The same long message. '.repeat(40));
    git(path, 'repack', '-a', '-d', '-f', '-q', '--depth=20', '--window=20');
    git(path, 'pack-refs', '--all');
    const [pack = ''] = readdirSync(join(folder, 'objects/pack')).filter((name) =>
      name.endsWith('.idx'),
    );
    const listed = git(path, 'verify-pack', '-v', join(folder, 'objects/pack', pack));

    expect(listed).toMatch(/^chain length = /m);
    expect(findRootCommit(folder)).toBe(root);
  });

  it('is that of the first parents, whatever was merged', () => {
    const { path, folder, root } = repository(2);
    git(path, 'checkout', '-q', '--orphan', 'other');
    git(path, 'commit', '-q', '--allow-empty', '-m', 'another beginning');
    git(path, 'checkout', '-q', 'main');
    git(path, 'merge', '-q', '--allow-unrelated-histories', '-m', 'together', 'other');

    expect(findRootCommit(folder)).toBe(root);
  });

  it('is found in a repository with longer hashes', () => {
    const path = join(temporaryHome(), 'long');
    mkdirSync(path);
    git(path, 'init', '-q', '-b', 'main', '--object-format=sha256');
    for (const message of ['one', 'two']) git(path, 'commit', '-q', '--allow-empty', '-m', message);
    const root = git(path, 'rev-list', '--max-parents=0', 'HEAD');

    expect(findRootCommit(join(path, '.git'))).toBe(root);
    git(path, 'repack', '-a', '-d', '-q');
    expect(findRootCommit(join(path, '.git'))).toBe(root);
  });

  it('is not there before the first commit, nor in a shallow clone', () => {
    const { path } = repository(3);
    const clone = join(path, '../clone');
    git(path, 'clone', '-q', '--depth=1', `file://${path}`, clone);

    expect(findRootCommit(repository(0).folder)).toBeUndefined();
    expect(findRootCommit(join(clone, '.git'))).toBeUndefined();
  });

  it('is not looked for in pipes and outside of the repository', () => {
    const { folder, root } = repository(1);
    writeFileSync(join(folder, '../outside'), `${root}\n`);
    writeFileSync(join(folder, 'HEAD'), 'ref: refs/../../outside\n');
    expect(findRootCommit(folder)).toBeUndefined();
    rmSync(join(folder, 'HEAD'));
    execFileSync('mkfifo', [join(folder, 'HEAD')]);
    expect(findRootCommit(folder)).toBeUndefined();
  });

  it('is nothing, and no failure, when objects are damaged at any byte', () => {
    const { path, folder, root } = repository(8, 'The same long message. '.repeat(20));
    git(path, 'repack', '-a', '-d', '-f', '-q');
    const packs = join(folder, 'objects/pack');
    for (const name of readdirSync(packs).filter((each) => /\.(?:idx|pack)$/.test(each))) {
      const whole = readFileSync(join(packs, name));
      const copy = join(path, '../copy');
      cpSync(folder, copy, { recursive: true });
      rmSync(join(copy, 'objects/pack', name));
      for (let at = 0; at < whole.length; at += 7) {
        const damaged = Buffer.from(whole);
        damaged[at] = (damaged[at] ?? 0) ^ 0xff;
        writeFileSync(join(copy, 'objects/pack', name), damaged);
        const found = findRootCommit(copy);
        expect(found === undefined || found === root || /^[0-9a-f]{40}$/.test(found)).toBe(true);
      }
      rmSync(copy, { recursive: true });
    }
  });
});
