import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Box } from './box.ts';

const box = new Box();

const COMMANDS = [
  'git status',
  'git status --porcelain=v2',
  'git status --ignored --untracked-files=all',
  'git diff',
  'git diff HEAD',
  'git diff --stat -- sub',
  'git diff --raw',
  'git diff-files',
  'git diff-index HEAD',
  'git diff-index --cached HEAD',
  'git describe --always --dirty',
  'git describe --always --dirty=-x',
  'git ls-files -m',
  'git grep x',
  'git log -p -1',
  'git show HEAD',
  'git stash list -p',
  'git -C src status',
  'cd src && git diff',
];

/** What `.gitmodules` says, which goes before git's settings about submodules. */
const MODULES: Readonly<Record<string, string>> = {
  'no file': '',
  'ignores nothing': '\tignore = none\n',
  'ignores untracked files': '\tignore = untracked\n',
};

/** Where the directory of the submodule's repository lies. */
const LAYOUTS: Readonly<Record<string, (module: string) => void>> = {
  'in the submodule': () => undefined,
  'elsewhere in the project': (module) => {
    renameSync(path.join(module, '.git'), path.join(box.project, 'lib/repository'));
    writeFileSync(path.join(module, '.git'), 'gitdir: ../lib/repository\n');
  },
};

describe('a submodule with settings that start a program', () => {
  const cases = Object.keys(MODULES).flatMap((modules) =>
    Object.keys(LAYOUTS).map((layout) => [modules, layout] as const),
  );

  it.each(cases)(
    'starts nothing: %s, repository %s',
    (modules, layout) => {
      plant(MODULES[modules] ?? '', LAYOUTS[layout]);

      const effects = COMMANDS.map((command) => box.attempt(command));

      expect(effects.filter((effect) => effect !== 'asks' && effect !== 'no effect')).toEqual([]);
      box.reset();
    },
    60_000,
  );

  it('starts it when the commands run unchanged', () => {
    plant(MODULES['ignores nothing'] ?? '');

    expect(box.effectOf('git -c diff.ignoreSubmodules=all status')).toBe('ran code');
  });

  it('makes only `git describe --dirty` ask', () => {
    plant('');

    const asking = COMMANDS.filter((command) => box.explain(command).decision !== 'auto');

    expect(asking).toEqual(['git describe --always --dirty', 'git describe --always --dirty=-x']);
    box.reset();
  });
});

/** A tracked submodule with a filter for its changed file. */
function plant(modules: string, arrange?: (module: string) => void): void {
  const module = path.join(box.project, 'sub');
  mkdirSync(module);
  git(module, 'init', '-q', '-b', 'main', '--template=');
  writeFileSync(path.join(module, 'f'), 'x\n');
  git(module, 'add', 'f');
  git(module, 'commit', '-qm', 'first');
  git(box.project, 'checkout', '-q', '--', '.');
  const commit = git(module, 'rev-parse', 'HEAD');
  git(box.project, 'update-index', '--add', '--cacheinfo', `160000,${commit},sub`);
  git(box.project, 'commit', '-qm', 'submodule');
  if (modules !== '') {
    const text = `[submodule "sub"]\n\tpath = sub\n\turl = ./x\n${modules}`;
    writeFileSync(path.join(box.project, '.gitmodules'), text);
  }
  const filter = `[filter "x"]\n\tclean = "touch ${box.root}/pwned; cat"\n`;
  appendFileSync(path.join(module, '.git/config'), filter);
  writeFileSync(path.join(module, '.gitattributes'), '* filter=x\n');
  writeFileSync(path.join(module, 'f'), 'y\n');
  utimesSync(path.join(module, 'f'), 1, 1);
  arrange?.(module);
  box.settle();
}

function git(cwd: string, ...words: readonly string[]): string {
  const identity = ['-c', 'user.name=x', '-c', 'user.email=x@example.org'];
  return execFileSync('git', [...identity, '-c', 'commit.gpgsign=false', ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: box.root, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  }).trim();
}
