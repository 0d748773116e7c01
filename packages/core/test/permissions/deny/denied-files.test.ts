import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  explainPermission,
  type PermissionMode,
  readOnlyEnvironment,
} from '@robota-sdk/agent-core';
import { afterAll, describe, expect, it } from 'vitest';
import { DENIED_FILE_ATTACKS } from './denied-files.ts';

const CONTENT = 'DENIED-CONTENT';
const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'robota-denied-')));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const IDENTITY = [
  '-c',
  'user.name=x',
  '-c',
  'user.email=x@example.org',
  '-c',
  'commit.gpgsign=false',
];
const git = (...args: readonly string[]) =>
  execFileSync('git', [...IDENTITY, ...args], {
    cwd: path.join(root, 'model'),
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1' },
    encoding: 'utf8',
  }).trim();

/** A repository in which `.env` and `secrets/key` are tracked and changed by the last commit. */
function makeModel(): { readonly blob: string } {
  const model = path.join(root, 'model');
  for (const folder of ['src', 'secrets']) mkdirSync(path.join(model, folder), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(path.join(model, name), text);
  write('a.txt', 'one\n');
  write('src/b.ts', 'export {};\n');
  write('.env', `OLD=${CONTENT}-0\n`);
  write('secrets/key', `${CONTENT}-0\n`);
  write('nul', '.env\0');
  git('init', '-q', '-b', 'main', '--template=');
  git('add', '-A');
  git('commit', '-qm', 'first');
  write('.env', `DENIED=${CONTENT}-1\n`);
  write('secrets/key', `${CONTENT}-1\n`);
  git('commit', '-qam', 'second');
  git('tag', 'v1');
  symlinkSync('.env', path.join(model, 'envlink'));
  symlinkSync('secrets', path.join(model, 'secretlink'));
  symlinkSync('..', path.join(model, 'src/uplink'));
  return { blob: git('rev-parse', 'HEAD:.env').slice(0, 12) };
}

const { blob } = makeModel();
const cwd = path.join(root, 'project');
const restore = () => {
  rmSync(cwd, { recursive: true, force: true });
  cpSync(path.join(root, 'model'), cwd, { recursive: true, verbatimSymlinks: true });
};
restore();
const deny = ['Read(.env)', 'Read(secrets/**)'];

/** The outcome of a command: it does not run without approval, or what running it showed. */
function attempt(given: string, mode: PermissionMode): string {
  const command = given.replaceAll('BLOB', blob);
  const { decision, run } = explainPermission('Bash', { command }, mode, { cwd, deny });
  if (decision !== 'auto') return 'does not run';
  const { stdout, stderr } = spawnSync('/bin/bash', ['-c', run?.command ?? command], {
    cwd,
    env: readOnlyEnvironment(process.env, [cwd]),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 5_000,
    killSignal: 'SIGKILL',
  });
  if (run === undefined) restore();
  return (stdout + stderr).includes(CONTENT) ? 'shows it' : 'shows nothing';
}

describe('files denied by a Read rule', () => {
  it.each(DENIED_FILE_ATTACKS)('are not shown without approval: %j', (command) => {
    expect(attempt(command, 'default')).not.toBe('shows it');
  });

  it.each(DENIED_FILE_ATTACKS)('are not shown under bypassPermissions: %j', (command) => {
    expect(attempt(command, 'bypassPermissions')).not.toBe('shows it');
  });

  it.each([
    'git status',
    'git log --oneline -5',
    'git log --stat -- src',
    'git diff -- src',
    'git diff --stat HEAD~1',
    'git diff --name-only HEAD~1 HEAD',
    'git show --stat HEAD',
    'git show HEAD:a.txt',
    'git show :0:a.txt',
    'git show HEAD:src/b.ts',
    'cd src && git show HEAD:./b.ts',
    'git cat-file -t HEAD',
    'git cat-file -p HEAD',
    'git blame a.txt',
    'git grep -n export -- src',
    'git ls-files',
    'git rev-parse HEAD',
    'cat a.txt',
    "sed -n '1,5p' a.txt",
    "sed 's/for/or/' a.txt",
    `awk '{print "x", $1}' a.txt`,
    'ls -la',
    'grep -n one a.txt',
    'grep -rn export src',
    'grep -rne export src',
    "grep -rn -A 2 export src --include='*.ts'",
    'rg -n export src',
    'rg export src a.txt',
    'cat /proc/self/cwd/a.txt | head -1; cat a.txt',
  ])('do not block other files: %j', (command) => {
    const asks = command.includes('/proc/');
    expect(explainPermission('Bash', { command }, 'default', { cwd, deny }).decision).toBe(
      asks ? 'approve' : 'auto',
    );
    expect(
      explainPermission('Bash', { command }, 'bypassPermissions', { cwd, deny }).decision,
    ).toBe('auto');
  });
});
