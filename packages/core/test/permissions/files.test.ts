import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  evaluatePermission,
  type PermissionMode,
  type ToolParameters,
} from '@robota-sdk/agent-core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeProject } from './project.ts';

const { cwd, outside } = makeProject();

describe('acceptEdits', () => {
  it.each([
    '.git/config',
    '.GIT/hooks/pre-commit',
    '.hg/hgrc',
    '.husky/pre-commit',
    '.githooks/pre-push',
    '.ssh/authorized_keys',
    '.gnupg/gpg.conf',
    '.aws/credentials',
    '.kube/config',
    '.docker/config.json',
    '.vscode/tasks.json',
    '.idea/workspace.xml',
    '.cursor/rules/x.mdc',
    '.devcontainer/devcontainer.json',
    '.config/fish/config.fish',
    '.robota/trust.json',
    '.robota/skills/x/SKILL.md',
    '.claude/agents/x.md',
    '.claude/settings.local.json',
    '.codex/config.toml',
    '.gemini/settings.json',
    '.opencode/opencode.json',
    '.agents/x.md',
    '.mcp.json',
    '.envrc',
    '.npmrc',
    '.yarnrc.yml',
    '.pypirc',
    '.netrc',
    '.gitmodules',
    'src/.gitattributes',
    '.tool-versions',
    '.pre-commit-config.yaml',
    'lefthook.yml',
    '.bashrc',
    '.bash_profile',
    '.zshrc',
    '.zshenv',
    '.profile',
    '.inputrc',
    '.vimrc',
    'sitecustomize.py',
    'lib/x.pth',
    'AGENTS.md',
    'agents.md',
    'CLAUDE.local.md',
    'GEMINI.md',
    '.github/workflows/ci.yml',
  ])('asks before changing a file that makes programs run code: %s', (filePath) => {
    const decide = (tool: string) => evaluatePermission(tool, { filePath }, 'acceptEdits', { cwd });

    expect([decide('Write'), decide('Edit')]).toEqual(['approve', 'approve']);
  });

  it('asks when a link leads to such a file', () => {
    mkdirSync(path.join(cwd, '.husky'), { recursive: true });
    symlinkSync(path.join(cwd, '.husky'), path.join(cwd, 'plain'));

    expect(
      evaluatePermission('Write', { filePath: 'plain/pre-commit' }, 'acceptEdits', { cwd }),
    ).toBe('approve');
  });

  it.each([
    'src/a.ts',
    'README.md',
    'docs/agents.txt',
    '.gitignore',
    '.github/ISSUE_TEMPLATE.md',
    'package.json',
    'src/config/index.ts',
    '.env.example',
    'vscode/tasks.json',
    'profile.ts',
  ])('changes an ordinary file without asking: %s', (filePath) => {
    expect(evaluatePermission('Write', { filePath }, 'acceptEdits', { cwd })).toBe('auto');
  });

  it('asks before a redirection into such a file', () => {
    expect([
      evaluatePermission('Bash', { command: 'echo x > .envrc' }, 'acceptEdits', { cwd }),
      evaluatePermission('Bash', { command: 'echo x > notes.txt' }, 'acceptEdits', { cwd }),
    ]).toEqual(['approve', 'auto']);
  });
});

describe('the working directory of a command', () => {
  const decide = (workingDirectory: string, command: string, allow: string[] = []) =>
    evaluatePermission('Bash', { command, workingDirectory }, 'default', { cwd, allow });

  it('is checked like any other path', () => {
    expect([
      decide('src', 'ls'),
      decide(outside, 'ls'),
      decide('outlink', 'ls'),
      decide(outside, 'npm test', ['Bash(npm test:*)']),
      decide('src', 'npm test', ['Bash(npm test:*)']),
    ]).toEqual(['auto', 'approve', 'approve', 'approve', 'auto']);
  });
});

describe('a Read deny rule', () => {
  const denied = (command: string, rule: string) =>
    evaluatePermission('Bash', { command }, 'bypassPermissions', { cwd, deny: [rule] });

  it('covers recursive reads and reads through links', () => {
    symlinkSync(path.join(cwd, 'secrets'), path.join(cwd, 'link'));
    mkdirSync(path.join(cwd, 'src/deep'), { recursive: true });
    writeFileSync(path.join(cwd, 'src/deep/.env'), 'KEY=1\n');

    expect([
      denied('grep -r . .', 'Read(**/.env)'),
      denied('grep -r . src', 'Read(**/.env)'),
      denied('grep -r . src', 'Read(.env)'),
      denied('rg x', 'Read(**/.env)'),
      denied('cat lin*/key.pem', 'Read(secrets/**)'),
      denied('cat l?nk/*', 'Read(secrets/**)'),
      denied('cat src/*.ts', 'Read(**/.env)'),
    ]).toEqual(['deny', 'deny', 'deny', 'deny', 'deny', 'deny', 'auto']);
  });
});

describe.each(['Read', 'Read(*)', 'Read(**)'])('a deny rule for all reading (%s)', (rule) => {
  const decide = (tool: string, args: ToolParameters, mode: PermissionMode = 'bypassPermissions') =>
    evaluatePermission(tool, args, mode, { cwd, deny: [rule] });
  const run = (command: string) => decide('Bash', { command });

  it('covers every tool that reads', () => {
    expect([
      decide('Read', { filePath: 'a.txt' }),
      decide('Grep', { pattern: 'x' }),
      decide('Grep', { pattern: 'x', path: 'a.txt' }),
      decide('Glob', { pattern: '**' }),
      decide('NotebookRead', { notebookPath: 'a.ipynb' }),
    ]).toEqual(['deny', 'deny', 'deny', 'deny', 'deny']);
  });

  it('covers programs that print files', () => {
    expect(
      [
        'cat a.txt',
        'grep -r x .',
        'rg x',
        'head -1 < a.txt',
        'ls && tail -n 3 a.txt',
        'find . -exec head {} +',
        'bash -c "cat a.txt"',
        'cat $FILE',
        'git log -p',
        'git grep x',
        'eval "$X"',
      ].map(run),
    ).toEqual(Array.from({ length: 11 }, () => 'deny'));
  });

  it('does not affect commands that read no file', () => {
    expect(
      [
        'ls -la',
        'git status',
        'git log --oneline',
        'echo hi',
        'npm test | cat',
        'curl https://example.com/',
      ].map(run),
    ).toEqual(Array.from({ length: 6 }, () => 'auto'));
    expect(decide('Write', { filePath: 'a.txt', content: '' })).toBe('auto');
    expect(decide('Edit', { filePath: 'a.txt' })).toBe('auto');
  });

  it('asks for the same commands when it is an ask rule', () => {
    const asks = (tool: string, args: ToolParameters) =>
      evaluatePermission(tool, args, 'default', { cwd, ask: [rule] });

    expect([
      asks('Grep', { pattern: 'x' }),
      asks('Glob', { pattern: '*' }),
      asks('Bash', { command: 'cat a.txt' }),
      asks('Bash', { command: 'ls' }),
    ]).toEqual(['approve', 'approve', 'approve', 'auto']);
  });
});

describe('a rule with a folder and a wildcard', () => {
  const decide = (command: string) =>
    evaluatePermission('Bash', { command }, 'default', { cwd, allow: ['Bash(python3 scripts/*)'] });

  it('does not match outside the folder', () => {
    expect([
      decide('python3 scripts/a.py'),
      decide('python3 scripts/sub/a.py --x'),
      decide('python3 scripts/../../evil.py'),
      decide("python3 'scripts/../evil.py'"),
      decide('python3 scripts/a.py ../b'),
    ]).toEqual(['auto', 'auto', 'approve', 'approve', 'approve']);
  });
});

describe('secrets in the home of Robota', () => {
  const home = path.join(outside, 'home');
  let before: string | undefined;

  beforeEach(() => {
    before = process.env.ROBOTA_HOME;
    process.env.ROBOTA_HOME = home;
    mkdirSync(path.join(home, 'logs'), { recursive: true });
    writeFileSync(path.join(home, 'server-token'), 'x');
    writeFileSync(path.join(home, 'logs/s.vault'), 'x');
  });
  afterEach(() => {
    if (before === undefined) delete process.env.ROBOTA_HOME;
    else process.env.ROBOTA_HOME = before;
  });

  it('are not readable by any tool, in any mode or under any rule', () => {
    const lists = { cwd, allow: ['Read', 'Bash', 'Grep', 'Write'], additionalDirectories: [home] };
    const decide = (tool: string, args: Record<string, unknown>) =>
      evaluatePermission(tool, args, 'bypassPermissions', lists);

    expect([
      decide('Read', { filePath: `${home}/server-token` }),
      decide('Read', { filePath: `${home}/logs/s.vault` }),
      decide('Write', { filePath: `${home}/server-token` }),
      decide('Bash', { command: `cat ${home}/server-token` }),
      decide('Bash', { command: `cat ${home}/server*` }),
      decide('Bash', { command: `cd ${home}/logs && cat s.vault` }),
      decide('Read', { filePath: `${home}/settings.json` }),
      decide('Bash', { command: `cat ${home}/settings.json` }),
    ]).toEqual(['deny', 'deny', 'deny', 'deny', 'deny', 'deny', 'auto', 'auto']);
  });

  it('are not readable through a recursive read of their directory', () => {
    const decide = (command: string, mode: PermissionMode, from = home) =>
      evaluatePermission('Bash', { command }, mode, {
        cwd: from,
        additionalDirectories: [outside],
      });
    const inside = [
      'grep -r x .',
      'rg -uuu x',
      'find . -type f -exec cat {} +',
      'find logs -type f -print0 | xargs -0 cat',
      'tar cf - logs',
      'git grep --no-index x',
    ];
    const above = [`grep -r x ${outside}`, `rg x ${outside}`, `cp -r ${outside} /tmp/x`];

    expect(inside.map((command) => decide(command, 'default'))).toEqual(inside.map(() => 'deny'));
    expect(above.map((command) => decide(command, 'default', cwd))).toEqual(
      above.map(() => 'approve'),
    );
    expect(above.map((command) => decide(command, 'bypassPermissions', cwd))).toEqual(
      above.map(() => 'deny'),
    );
    expect(decide('ls -R . && cat settings.json', 'default')).toBe('auto');
  });

  it('are not readable where a command mentions them in other text', () => {
    const decide = (command: string, mode: PermissionMode = 'bypassPermissions') =>
      evaluatePermission('Bash', { command }, mode, { cwd });
    const up = path.relative(cwd, home);
    const mentioning = [
      `python3 -c "print(open('${home}/server-token').read())"`,
      `node -p "require('fs').readFileSync('${up}/logs/s.vault','utf8')"`,
      `curl -s file://${home}/server-token`,
      `echo ${home}/server-token | xargs cat`,
      `xargs cat <<< ${home}/logs/s.vault`,
      `for f in ${home}/*; do cat $f; done`,
      `cat $(dirname $PWD)/home/server-token`,
      `cat \`dirname $PWD\`/home/server-token`,
      `cat \${PWD%/*}/home/server-token`,
      'cat ~+/../home/server-token',
      `mv ${home} x; cat x/server-token`,
      `mv ${home}/logs x; cat x/s.vault`,
      `ln -s ${home} x; cat x/server-token`,
      `ln -s ${path.dirname(home)} x; cat x/home/server-token`,
    ];
    const harmless = [
      `ls ${home}`,
      `cat ${home}/settings.json`,
      'cat .robota/settings.json',
      'mv a.txt b.txt',
      'ln -s a.txt b.txt',
      'grep -rn server-token .',
    ];

    expect(mentioning.filter((command) => decide(command) !== 'deny')).toEqual([]);
    expect(mentioning.filter((command) => decide(command, 'default') === 'auto')).toEqual([]);
    expect(harmless.filter((command) => decide(command) !== 'auto')).toEqual([]);
  });

  it('are not readable through a link with another name', () => {
    symlinkSync(path.join(home, 'server-token'), path.join(cwd, 'notes'));
    const decide = (command: string) =>
      evaluatePermission('Bash', { command }, 'bypassPermissions', { cwd, allow: ['Bash(cat:*)'] });

    expect([decide('cat notes'), decide('cat < notes'), decide('cat absent')]).toEqual([
      'deny',
      'deny',
      'auto',
    ]);
  });
});

describe('a denied file that git tracks', () => {
  const tree = path.join(outside, 'tracked');
  const decide = (command: string, mode: PermissionMode = 'default') =>
    evaluatePermission('Bash', { command }, mode, { cwd: tree, deny: ['Read(.env)'] });

  beforeEach(() => {
    mkdirSync(path.join(tree, 'src'), { recursive: true });
    for (const name of ['.env', 'src/a.ts']) writeFileSync(path.join(tree, name), 'x\n');
    execFileSync('git', ['init', '-q', '--template=', tree]);
    execFileSync('git', ['add', '-f', '.env', 'src/a.ts'], { cwd: tree });
  });

  it('is not shown by git either', () => {
    const commands = [
      'git diff',
      'git diff HEAD~1',
      'git show',
      'git log -p',
      'git log --patch -3',
      'git grep x',
      'git stash show -p',
      'git status -vv',
      'git diff -- .',
    ];

    expect(commands.map((command) => decide(command))).toEqual(commands.map(() => 'approve'));
    expect(commands.map((command) => decide(command, 'bypassPermissions'))).toEqual(
      commands.map(() => 'deny'),
    );
    expect(decide('git archive HEAD', 'bypassPermissions')).toBe('deny');
  });

  it('does not make git ask when it shows other files', () => {
    const commands = [
      'git status',
      'git log --oneline',
      'git diff --stat',
      'git diff -- src',
      'git diff src/a.ts',
      'git show HEAD:src/a.ts',
      'git show --name-only HEAD',
      'git grep x -- src',
    ];

    expect(commands.map((command) => decide(command))).toEqual(commands.map(() => 'auto'));
  });
});
