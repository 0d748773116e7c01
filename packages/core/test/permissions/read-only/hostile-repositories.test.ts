import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Box } from './box.ts';

const box = new Box();

const COMMANDS = [
  'git status',
  'git status --short --ignored',
  'git diff',
  'git diff --stat HEAD',
  'git diff --cached',
  'git log -p -1',
  'git log --stat',
  'git log -1 --format=%G?',
  'git show HEAD',
  'git show HEAD:a.txt',
  'git blame a.txt',
  'git ls-files -m',
  'git grep one',
  'git branch -a',
  'git rev-parse HEAD',
  'git describe --always --dirty',
  'git stash list',
  'git cat-file -p HEAD',
  'git shortlog -s HEAD',
  'git for-each-ref',
  'git diff-index HEAD',
  'git diff-files -z',
  'git check-attr -a a.txt',
  'git remote -v',
];

/** Settings of a repository through which git starts a program; EVIL is that program. */
const CONFIGURATIONS: Readonly<Record<string, string>> = {
  fsmonitor: '[core]\n\tfsmonitor = EVIL\n',
  pager: '[core]\n\tpager = EVIL\n[pager]\n\tstatus = EVIL\n\tdiff = EVIL\n\tlog = EVIL\n',
  hooks: '[core]\n\thooksPath = HOOKS\n',
  'external diff': '[diff]\n\texternal = EVIL\n',
  'diff driver': '[diff "x"]\n\tcommand = EVIL\n',
  textconv: '[diff "x"]\n\ttextconv = EVIL\n',
  filter: '[filter "x"]\n\tclean = EVIL\n\tsmudge = EVIL\n\trequired = true\n',
  'filter process': '[filter "x"]\n\tprocess = EVIL\n',
  'signature program': '[gpg]\n\tprogram = EVIL\n[log]\n\tshowSignature = true\n',
  'ssh signature program':
    '[gpg "ssh"]\n\tprogram = EVIL\n[gpg]\n\tformat = ssh\n[log]\n\tshowSignature = true\n',
  alias: '[alias]\n\tstatus = !EVIL\n\tx = !EVIL\n',
  include: '[include]\n\tpath = ../included\n',
  'conditional include': '[includeIf "gitdir:**"]\n\tpath = ../included\n',
  'other working tree': '[core]\n\tworktree = ../..\n\tfsmonitor = EVIL\n',
  'promisor remote':
    '[remote "o"]\n\turl = ext::EVIL\n\tpromisor = true\n[extensions]\n\tpartialClone = o\n',
  'ssh command': '[core]\n\tsshCommand = EVIL\n[remote "o"]\n\turl = ssh://x/y\n',
  'credential helper': '[credential]\n\thelper = !EVIL\n',
  'merge driver and editor':
    '[merge "x"]\n\tdriver = EVIL\n[core]\n\teditor = EVIL\n\taskPass = EVIL\n',
  'trailing section on one line': '[core] fsmonitor = EVIL\n',
  'continued line': '[core]\n\tbare = false \\\n\tfsmonitor = EVIL\n[core]\n\tfsmonitor = EVIL\n',
};

describe('a hostile repository', () => {
  it.each(Object.keys(CONFIGURATIONS))('starts nothing through its settings: %s', (name) => {
    plant(CONFIGURATIONS[name] ?? '');

    const effects = COMMANDS.map((command) => box.attempt(command));

    expect(effects.filter((effect) => effect !== 'asks' && effect !== 'no effect')).toEqual([]);
    box.reset();
  });

  it.each([
    'submodule settings',
    'worktree settings',
    'embedded bare repository',
    'hooks',
    'nested repository',
  ])('starts nothing through its other files: %s', (name) => {
    PLACES[name]?.();

    const commands = [...COMMANDS, 'git -C lib status', 'git -C lib log', 'cd lib && git status'];
    const effects = commands.map((command) => box.attempt(command));

    expect(effects.filter((effect) => effect !== 'asks' && effect !== 'no effect')).toEqual([]);
    box.reset();
  });

  it('needs approval when it shows files of another directory', () => {
    box.write('.git/config', '[core]\n\tbare = false\n\tworktree = ../..\n');

    expect(box.attempt('git status')).toBe('asks');
    box.reset();
  });

  it('has an effect when its commands run unchanged', () => {
    plant(CONFIGURATIONS.fsmonitor ?? '');

    expect(box.effectOf('git status')).toBe('ran code');
  });

  it('is read without approval when its settings are plain', () => {
    box.reset();

    const asking = COMMANDS.filter((command) => box.explain(command).decision !== 'auto');

    // Checking a signature starts a program, whatever the settings say.
    expect(asking).toEqual(['git log -1 --format=%G?']);
  });
});

const evil = () => path.join(box.project, 'evil');

/** The settings, attributes that call for its drivers, and a file that settings may include. */
function plant(config: string): void {
  const hooks = path.join(box.project, 'hooks');
  mkdirSync(hooks, { recursive: true });
  for (const hook of ['post-index-change', 'post-checkout', 'fsmonitor-watchman']) {
    writeExecutable(path.join(hooks, hook));
  }
  const text = config.replaceAll('EVIL', evil()).replaceAll('HOOKS', hooks);
  box.write('.git/config', `[core]\n\trepositoryformatversion = 0\n\tbare = false\n${text}`);
  box.write('.gitattributes', '* diff=x filter=x merge=x\n');
  box.write('included', `[core]\n\tfsmonitor = ${evil()}\n`);
}

function writeExecutable(file: string): void {
  writeFileSync(file, `#!/bin/sh\ntouch ${box.root}/pwned\n`);
  chmodSync(file, 0o755);
  box.settle();
}

const FSMONITOR = () => `[core]\n\tfsmonitor = ${evil()}\n`;

const PLACES: Readonly<Record<string, () => void>> = {
  'submodule settings': () => {
    box.write('.git/modules/lib/config', FSMONITOR());
    box.write('.gitmodules', '[submodule "lib"]\n\tpath = lib\n\turl = ./lib\n');
  },
  'worktree settings': () => {
    box.write('.git/config.worktree', FSMONITOR());
    box.write(
      '.git/config',
      '[extensions]\n\tworktreeConfig = true\n[core]\n\trepositoryformatversion = 1\n',
    );
  },
  'embedded bare repository': () => {
    box.write('lib/HEAD', 'ref: refs/heads/main\n');
    box.write('lib/objects/x', '');
    box.write('lib/refs/x', '');
    box.write('lib/config', `[core]\n\tbare = false\n\tworktree = ${box.project}\n${FSMONITOR()}`);
  },
  hooks: () => {
    for (const hook of ['post-index-change', 'post-checkout', 'pre-auto-gc']) {
      box.write(`.git/hooks/${hook}`, '');
      writeExecutable(path.join(box.project, '.git/hooks', hook));
    }
  },
  'nested repository': () => {
    box.write('lib/.git/HEAD', 'ref: refs/heads/main\n');
    box.write('lib/.git/objects/x', '');
    box.write('lib/.git/refs/x', '');
    box.write('lib/.git/config', FSMONITOR());
  },
};
