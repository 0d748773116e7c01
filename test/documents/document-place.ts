import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from '../../apps/cli/test/support/program.ts';
import {
  claudeLines,
  claudePath,
  codexHeader,
  codexPath,
  codexTurn,
  writeLines,
} from '../../packages/archive/test/generated-home.ts';
import { FAKE_PROGRAMS, fakeProgram } from '../../packages/sdk/test/live/fake-programs.ts';

/**
 * A reader's machine: a home with sessions of other agents, a project with a history, a browser that shows nothing, and
 * `robota` and stand-ins for the programs of the other agents on the path.
 */
export interface DocumentPlace extends Disposable {
  readonly project: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Process groups that blocks started; ended with the place. */
  readonly groups: number[];
}

export function createDocumentPlace(): DocumentPlace {
  const root = mkdtempSync(join(tmpdir(), 'robota-document-'));
  const [home, project, programs] = ['home', 'project', 'programs'].map((name) => {
    const path = join(root, name);
    mkdirSync(path);
    return path;
  }) as [string, string, string];
  writeProgram(join(programs, 'robota'));
  for (const { name } of FAKE_PROGRAMS) {
    symlinkSync(fakeProgram(name).command, join(programs, name));
  }
  fillHome(home, project);
  fillProject(project);
  const path = `${programs}:${process.env.PATH ?? ''}`;
  const environment = { PATH: path, HOME: home, BROWSER: 'true' };
  const groups: number[] = [];
  return {
    project,
    environment,
    groups,
    [Symbol.dispose]: () => {
      for (const group of groups) endGroup(group);
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Servers use any free port, since the default may be in use on the test machine. */
function writeProgram(path: string): void {
  const lines = [
    '#!/bin/sh',
    'case "$1" in serve | web) command=$1; shift; set -- "$command" --port 0 "$@" ;; esac',
    `exec '${PROGRAM}' "$@"`,
  ];
  writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
}

function endGroup(group: number): void {
  try {
    process.kill(-group, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function fillHome(home: string, project: string): void {
  const claude = '5d2f8a30-2222-4333-8444-555555555555';
  const turns = [
    { id: 'race', prompt: 'find the race condition in the upload', answer: 'It is in upload.ts.' },
  ];
  writeLines(claudePath(home, claude), claudeLines(turns, { sessionId: claude, cwd: project }));
  const codex = '019a0000-0000-7000-8000-000000000001';
  writeLines(codexPath(home, codex), [
    codexHeader(codex, project),
    ...codexTurn({ id: 'login', prompt: 'fix the login form', answer: 'Done.' }),
  ]);
}

function fillProject(project: string): void {
  writeFileSync(join(project, 'package.json'), '{ "name": "project" }\n');
  writeFileSync(join(project, 'notes.txt'), 'Hello\n');
  const git = (...args: string[]) => execFileSync('git', args, { cwd: project, stdio: 'ignore' });
  git('init', '--quiet');
  git('add', '.');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-qm', 'First');
  writeFileSync(join(project, 'notes.txt'), 'Hello again\n');
}
