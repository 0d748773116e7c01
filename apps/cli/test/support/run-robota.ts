import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROGRAM } from './program.ts';

/** A home and a project directory of their own, so that a run touches nothing else. */
export interface Place extends Disposable {
  readonly home: string;
  readonly project: string;
}

export function createPlace(): Place {
  const root = mkdtempSync(join(tmpdir(), 'robota-cli-'));
  const [home, project] = [mkdtempSync(join(root, 'home-')), mkdtempSync(join(root, 'project-'))];
  return { home, project, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}

export interface RunResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the built program to its end. */
export async function runRobota(
  place: Place,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const child = startRobota(place, args, options.env);
  child.stdin.end(options.input ?? '');
  return finished(child);
}

/** Starts the built program and leaves it running; the test ends it. */
export function startRobota(
  place: Place,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [PROGRAM, ...args], {
    cwd: place.project,
    env: { PATH: process.env.PATH ?? '', HOME: place.home, ...env },
  });
}

export function finished(child: ChildProcessWithoutNullStreams): Promise<RunResult> {
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}
