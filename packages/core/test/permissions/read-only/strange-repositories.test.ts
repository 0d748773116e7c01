import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { evaluatePermission } from '@robota-sdk/agent-core';
import { afterEach, describe, expect, it } from 'vitest';
import { Box, SECRET } from './box.ts';

const box = new Box();
const at = (...steps: string[]) => path.join(box.project, ...steps);

afterEach(() => box.reset());

const COMMANDS = [
  'git log -p',
  'git log --oneline',
  'git show HEAD:s',
  'git show HEAD',
  'git cat-file -p HEAD:s',
  'git status',
  'git diff HEAD',
  'git grep OUTSIDE',
  'git grep OUTSIDE HEAD',
  'git blame src/f',
  'git blame -- src/f',
  'git grep -n OUTSIDE -- src',
  'git check-ignore -v OUTSIDE-SECRET',
  'git -C lib log -p',
  'cd lib && git show HEAD:s',
];

/** Ways in which a repository of the project shows contents from outside it. */
const ARRANGEMENTS: Readonly<Record<string, () => void>> = {
  'a file .git that names another repository': () => {
    const other = repositoryOutside();
    rmSync(at('.git'), { recursive: true });
    writeFileSync(at('.git'), `gitdir: ${other}/.git\n`);
  },
  'such a file in a directory': () => {
    writeFileSync(at('lib/.git'), `gitdir: ${repositoryOutside()}/.git\n`);
  },
  'a prepared working tree of another repository': () => {
    const other = repositoryOutside();
    mkdirSync(at('lib/own'));
    writeFileSync(at('lib/own/HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(at('lib/own/commondir'), `${other}/.git\n`);
    writeFileSync(at('lib/own/gitdir'), `${at('lib/.git')}\n`);
    writeFileSync(at('lib/.git'), 'gitdir: own\n');
  },
  'a shared directory elsewhere': () => {
    writeFileSync(at('.git/commondir'), `${repositoryOutside()}/.git\n`);
  },
  'links instead of objects': () => {
    const other = repositoryOutside();
    for (const name of ['objects', 'refs']) {
      rmSync(at('.git', name), { recursive: true });
      symlinkSync(`${other}/.git/${name}`, at('.git', name));
    }
  },
  'objects from elsewhere': () => {
    const other = repositoryOutside();
    const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: other, encoding: 'utf8' });
    mkdirSync(at('.git/objects/info'), { recursive: true });
    writeFileSync(at('.git/objects/info/alternates'), `${other}/.git/objects\n`);
    writeFileSync(at('.git/refs/heads/main'), head);
  },
  'a list of steps that is a link': () => {
    mkdirSync(at('.git/rebase-merge'));
    writeFileSync(at('.git/rebase-merge/interactive'), '');
    writeFileSync(at('.git/rebase-merge/done'), 'pick x\n');
    writeFileSync(at('.git/rebase-merge/head-name'), 'refs/heads/main');
    writeFileSync(at('.git/rebase-merge/onto'), 'x');
    symlinkSync('../../../outside', at('.git/rebase-merge/git-rebase-todo'));
  },
  'the name of a branch that is a link': () => {
    mkdirSync(at('.git/rebase-merge'));
    writeFileSync(at('.git/rebase-merge/interactive'), '');
    writeFileSync(at('.git/rebase-merge/onto'), 'x');
    symlinkSync('../../../outside', at('.git/rebase-merge/head-name'));
  },
  'the start of a search that is a link': () => {
    symlinkSync('../../outside', at('.git/BISECT_START'));
    symlinkSync('../../outside', at('.git/BISECT_LOG'));
  },
  'patterns that are a link': () => {
    mkdirSync(at('.git/info'), { recursive: true });
    symlinkSync('../../../outside', at('.git/info/exclude'));
  },
  'a tracked directory that became a link': () => {
    writeFileSync(at('src/f'), 'old\n');
    git(box.project, 'add', 'src/f');
    git(box.project, 'commit', '-qm', 'more');
    rmSync(at('src'), { recursive: true });
    symlinkSync('../odir', at('src'));
  },
  'the same with an index of version 4': () => {
    writeFileSync(at('src/f'), 'old\n');
    git(box.project, 'add', 'src/f');
    git(box.project, 'update-index', '--index-version', '4');
    rmSync(at('src'), { recursive: true });
    symlinkSync('../odir', at('src'));
  },
  'the same with a split index': () => {
    writeFileSync(at('src/f'), 'old\n');
    git(box.project, 'add', 'src/f');
    git(box.project, 'update-index', '--split-index');
    rmSync(at('src'), { recursive: true });
    symlinkSync('../odir', at('src'));
  },
};

describe('a repository whose files lie elsewhere', () => {
  it.each(Object.keys(ARRANGEMENTS))('shows nothing from there: %s', (name) => {
    ARRANGEMENTS[name]?.();
    box.settle();

    const effects = COMMANDS.map((command) => box.attempt(command));

    expect(effects.filter((effect) => effect !== 'asks' && effect !== 'no effect')).toEqual([]);
  });

  it('shows them when its commands run unchanged', () => {
    writeFileSync(at('lib/.git'), `gitdir: ${repositoryOutside()}/.git\n`);
    box.settle();

    expect(box.effectOf('cd lib && git log -p')).toBe('read outside');
  });

  it('is read without approval when it points back to the working tree', () => {
    git(box.project, 'worktree', 'add', '-q', '../tree');
    const explained = explainIn(path.join(box.root, 'tree'), 'git status && git log -p -1');

    expect(explained).toBe('auto');
  });

  it('does not ask for git grep when links and directories are its own', () => {
    expect([box.explain('git grep one').decision, box.attempt('git grep one')]).toEqual([
      'auto',
      'no effect',
    ]);
  });
});

describe('a pipe', () => {
  it('never blocks: reading it needs approval', () => {
    execFileSync('mkfifo', [at('pipe')]);
    const commands = ['cat pipe', 'cat < pipe', 'head pip*', 'wc -l a.txt pipe', 'grep x pipe'];

    expect(commands.map((command) => box.explain(command).decision)).toEqual(
      commands.map(() => 'approve'),
    );
    expect(box.explain('ls -la && grep -rn one . && git status').decision).toBe('auto');
    rmSync(at('pipe'));
  });

  it.each(['.ignore', '.gitignore', '.gitattributes'])(
    'makes programs ask that read it implicitly: %s',
    (name) => {
      execFileSync('mkfifo', [at(name)]);

      const decided = ['rg one', 'cd src && rg one', 'git status'].map(
        (command) => box.explain(command).decision,
      );

      expect(decided).toEqual(['approve', 'approve', 'approve']);
      rmSync(at(name));
    },
  );

  it('makes git ask when it is the mailmap', () => {
    execFileSync('mkfifo', [at('.mailmap')]);
    const commands = ['git log -1', 'git show', 'git blame a.txt', 'cd src && git shortlog HEAD'];

    const decided = commands.map((command) => box.explain(command).decision);

    expect(decided).toEqual(commands.map(() => 'approve'));
    rmSync(at('.mailmap'));
  });

  it.each(['pipe', '../outside', '/dev/zero'])(
    'makes programs ask behind a link, as does an outside file: %s',
    (target) => {
      execFileSync('mkfifo', [at('pipe')]);
      symlinkSync(target, at('.ignore'));

      const decided = ['rg one', 'cd src && rg one', 'git status'].map(
        (command) => box.explain(command).decision,
      );

      expect(decided).toEqual(['approve', 'approve', 'approve']);
      rmSync(at('pipe'));
    },
  );

  it('is distinguished from a link to a file of the project', () => {
    symlinkSync('a.txt', at('.ignore'));

    expect(box.explain('rg one').decision).toBe('auto');
  });

  it.each(['HEAD', 'index', 'info/exclude', 'packed-refs'])(
    'makes git ask when it is in a repository: %s',
    (name) => {
      mkdirSync(at('.git/info'), { recursive: true });
      rmSync(at('.git', name), { force: true });
      execFileSync('mkfifo', [at('.git', name)]);

      const decided = ['git status', 'git log -p -1', 'git grep one'].map(
        (command) => box.explain(command).decision,
      );

      expect(decided).toEqual(['approve', 'approve', 'approve']);
      rmSync(at('.git', name));
    },
  );
});

describe('a program declared only for its version', () => {
  it.each([
    ['.yarnrc', 'yarn-path "./evil.js"\n', 'yarn --version'],
    ['.yarnrc.yml', 'yarnPath: ./evil.cjs\n', 'yarn --version'],
    ['package.json', '{"packageManager":"pnpm@https://x/evil.tgz"}', 'pnpm --version'],
    ['package.json', '{"packageManager":"yarn@9.9.9"}', 'cd src && yarn --version'],
    ['rust-toolchain.toml', '[toolchain]\npath = "evil"\n', 'cargo --version'],
    ['rust-toolchain', 'evil\n', 'rustc -V'],
    ['.tool-versions', 'python path:./evil\n', 'python3 --version'],
    ['.python-version', '../../evil\n', 'python3 -V'],
    ['.node-version', '../evil\n', 'timeout 5 node --version'],
    ['.tool-versions', 'golang path:./evil\n', 'go version'],
  ])('asks when %s selects the version: %s', (name, text, command) => {
    box.write(name, text);

    expect(box.explain(command).decision).toBe('approve');
  });

  it('does not ask when versions have plain names', () => {
    box.write('.tool-versions', 'nodejs 22.1.0 # ours\npython 3.12.1\n');
    box.write('.nvmrc', 'v22\n');
    box.write('package.json', '{"name":"x"}');
    const commands = ['node --version', 'python3 -V', 'pnpm -v', 'cargo --version', 'go version'];

    expect(commands.map((command) => box.explain(command).decision)).toEqual(
      commands.map(() => 'auto'),
    );
  });
});

function explainIn(cwd: string, command: string): string {
  return evaluatePermission('Bash', { command }, 'default', { cwd });
}

function git(cwd: string, ...words: string[]): void {
  execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...words], {
    cwd,
    env: { PATH: process.env.PATH, HOME: box.root, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: 'ignore',
  });
}

function repositoryOutside(): string {
  const folder = path.join(box.root, 'other');
  mkdirSync(folder);
  git(folder, 'init', '-q', '-b', 'main', '--template=');
  writeFileSync(path.join(folder, 's'), `${SECRET}\n`);
  git(folder, 'add', 's');
  git(folder, 'commit', '-qm', SECRET);
  return folder;
}
