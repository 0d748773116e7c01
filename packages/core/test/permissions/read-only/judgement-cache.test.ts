import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { evaluatePermission } from '@robota-sdk/agent-core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeProject } from '../project.ts';

const { cwd, outside } = makeProject();
const decide = (command: string, lists: object = {}) =>
  evaluatePermission('Bash', { command }, 'default', { cwd, ...lists });

describe('a cached judgement', () => {
  it('is recomputed when a file has become a link', () => {
    writeFileSync(path.join(cwd, 'note'), 'x');
    const before = [decide('cat note'), decide('cat note')];
    rmSync(path.join(cwd, 'note'));
    symlinkSync(path.join(outside, 'passwd'), path.join(cwd, 'note'));

    expect([...before, decide('cat note'), decide('cat note')]).toEqual([
      'auto',
      'auto',
      'approve',
      'approve',
    ]);
  });

  it('is recomputed when a directory has become a link', () => {
    mkdirSync(path.join(cwd, 'place'));
    writeFileSync(path.join(cwd, 'place/passwd'), 'x');
    const before = decide('cd place && cat passwd');
    rmSync(path.join(cwd, 'place'), { recursive: true });
    symlinkSync(outside, path.join(cwd, 'place'));

    expect([before, decide('cd place && cat passwd')]).toEqual(['auto', 'approve']);
  });

  it('is recomputed when the repository settings change or a nearer repository appears', () => {
    const config = path.join(cwd, '.git/config');
    const before = decide('git status');
    writeFileSync(config, '[core]\n\tfsmonitor = ./evil\n');
    const changed = decide('git status');
    writeFileSync(config, '[core]\n\tbare = false\n');
    const restored = [decide('git status'), decide('git -C src status')];
    mkdirSync(path.join(cwd, 'src/.git/objects'), { recursive: true });
    writeFileSync(path.join(cwd, 'src/.git/config'), '[core]\n\tfsmonitor = ./evil\n');

    expect([before, changed, ...restored, decide('git -C src status')]).toEqual([
      'auto',
      'approve',
      'auto',
      'auto',
      'approve',
    ]);
  });

  it('is recomputed when settings of the same length were written within one clock tick', () => {
    const config = path.join(cwd, '.git/config');
    const decisions = Array.from({ length: 40 }, () => {
      writeFileSync(config, '[core]\n\tfilemode = true1\n');
      const plain = decide('git status');
      writeFileSync(config, '[core]\n\tfsmonitor = evil\n');
      return [plain, decide('git status')];
    });
    writeFileSync(config, '[core]\n\tbare = false\n');

    expect(decisions).toEqual(decisions.map(() => ['auto', 'approve']));
  });

  it('is recomputed when a denied file appears in a searched directory', () => {
    const search = () => decide('grep -rn x src', { deny: ['Read(**/*.key)'] });
    const before = [search(), search()];
    writeFileSync(path.join(cwd, 'src/a.key'), 'x');
    const after = search();
    rmSync(path.join(cwd, 'src/a.key'));

    expect([...before, after]).toEqual(['auto', 'auto', 'approve']);
  });

  it('is recomputed when a word becomes a link to one of the secrets of Robota', () => {
    const home = path.join(outside, 'home');
    mkdirSync(home, { recursive: true });
    writeFileSync(path.join(home, 'server-token'), 'x');
    vi.stubEnv('ROBOTA_HOME', home);
    const judge = () =>
      evaluatePermission('Bash', { command: 'cat plan' }, 'bypassPermissions', { cwd });
    const before = [judge(), judge()];
    symlinkSync(path.join(home, 'server-token'), path.join(cwd, 'plan'));
    const after = judge();
    rmSync(path.join(cwd, 'plan'));
    vi.unstubAllEnvs();

    expect([...before, after]).toEqual(['auto', 'auto', 'deny']);
  });

  it('is recomputed for other rules, another mode and another environment', () => {
    const plain = decide('git log');
    const denied = decide('cat a.txt', { deny: ['Read(a.txt)'] });
    const allowed = decide('cat a.txt');
    process.env.GIT_DIR = '/elsewhere';
    const elsewhere = decide('git log');
    delete process.env.GIT_DIR;

    expect([
      plain,
      denied,
      allowed,
      elsewhere,
      decide('git log', { gitAsks: true }),
      decide('git log'),
    ]).toEqual(['auto', 'deny', 'auto', 'approve', 'approve', 'auto']);
  });
});

/** With the clock moved on, so that an unchanged directory proves which of its entries are missing. */
describe('a cached judgement in unchanged directories', () => {
  const projects = [makeProject(), makeProject(), makeProject()] as const;
  const later = () => vi.setSystemTime(Date.now() + 60_000);

  afterEach(() => {
    vi.useRealTimers();
  });

  it('is recomputed when a missing path appears', () => {
    const { cwd: project } = projects[0];
    const judge = (command: string) =>
      evaluatePermission('Bash', { command }, 'default', { cwd: path.join(project, 'src') });
    vi.useFakeTimers({ toFake: ['Date'] });
    later();
    const before = [judge('git status'), judge('git status')];
    mkdirSync(path.join(project, 'src/.git/objects'), { recursive: true });
    writeFileSync(path.join(project, 'src/.git/config'), '[core]\n\tfsmonitor = ./evil\n');
    const nearer = judge('git status');
    rmSync(path.join(project, 'src/.git'), { recursive: true });
    later();
    const restored = [judge('git status'), judge('git status')];
    execFileSync('mkfifo', [path.join(project, 'src/.gitignore')]);

    expect([...before, nearer, ...restored, judge('git status')]).toEqual([
      'auto',
      'auto',
      'approve',
      'auto',
      'auto',
      'approve',
    ]);
  });

  it('is recomputed when a parent directory becomes a bare repository', () => {
    const { cwd: project } = projects[1];
    const judge = () =>
      evaluatePermission('Bash', { command: 'git log' }, 'default', {
        cwd: path.join(project, 'src'),
      });
    vi.useFakeTimers({ toFake: ['Date'] });
    later();
    const before = [judge(), judge()];
    for (const name of ['objects', 'refs']) mkdirSync(path.join(project, 'src', name));
    writeFileSync(path.join(project, 'src/HEAD'), 'ref: refs/heads/main\n');

    expect([...before, judge()]).toEqual(['auto', 'auto', 'approve']);
  });

  it('is recomputed when the directory itself becomes a link', () => {
    const { cwd: project, outside: elsewhere } = projects[2];
    const judge = () =>
      evaluatePermission('Bash', { command: 'cd src && git status' }, 'default', { cwd: project });
    vi.useFakeTimers({ toFake: ['Date'] });
    later();
    const before = [judge(), judge()];
    rmSync(path.join(project, 'src'), { recursive: true });
    symlinkSync(elsewhere, path.join(project, 'src'));

    expect([...before, judge()]).toEqual(['auto', 'auto', 'approve']);
  });
});
