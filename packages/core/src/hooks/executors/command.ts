import { type ChildProcess, spawn } from 'node:child_process';
import type { HookAnswer, HookTypeExecutor } from '../hook.ts';
import { BoundedText } from './bounded-text.ts';

const STDOUT_LIMIT_BYTES = 1024 * 1024;
const STDERR_LIMIT_BYTES = 64 * 1024;
/** Time between SIGTERM and SIGKILL for the process group. */
const KILL_GRACE_MS = 500;
/** A background child may keep the pipes open long after the hook exits. */
const PIPE_GRACE_MS = 200;

/**
 * Runs `sh -c`, or the program itself where `args` are given, in its own process group: JSON on stdin, and
 * nothing of the group survives an abort.
 */
export const commandHookExecutor: HookTypeExecutor = {
  type: 'command',
  async execute(definition, input, { env, signal }) {
    if (definition.type !== 'command') return failed('not a command hook');
    if (signal.aborted) return failed(String(signal.reason));
    const { command, args } = definition;
    const child = spawn(args ? command : '/bin/sh', args ?? ['-c', command], {
      cwd: input.cwd,
      env: { ...process.env, ...env },
      detached: true,
    });
    const onAbort = () => endGroup(child);
    signal.addEventListener('abort', onAbort);
    // A hook that exits without reading its input breaks the pipe; only its exit code matters.
    child.stdin.on('error', () => undefined);
    child.stdin.end(JSON.stringify(input));
    try {
      const answer = await collect(child);
      return signal.aborted ? failed(String(signal.reason)) : answer;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  },
};

function collect(child: ChildProcess): Promise<HookAnswer> {
  const stdout = new BoundedText(STDOUT_LIMIT_BYTES);
  const stderr = new BoundedText(STDERR_LIMIT_BYTES);
  child.stdout?.on('data', (chunk: Buffer) => stdout.add(chunk));
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
  return new Promise((resolve) => {
    child.on('error', (error) => resolve(failed(`could not be started: ${error.message}`)));
    child.on('exit', (code, killedBy) => {
      const settle = () => {
        clearTimeout(timer);
        child.stdout?.destroy();
        child.stderr?.destroy();
        resolve(
          code === null
            ? failed(`was ended by ${killedBy ?? 'a signal'}`)
            : { exitCode: code, stdout: stdout.toString(), stderr: stderr.toString() },
        );
      };
      const timer = setTimeout(settle, PIPE_GRACE_MS);
      child.on('close', settle);
    });
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  const group = -child.pid;
  signalGroup(group, 'SIGTERM');
  setTimeout(() => signalGroup(group, 'SIGKILL'), KILL_GRACE_MS);
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(group, name);
  } catch (error) {
    // The process has already exited.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function failed(stderr: string): HookAnswer {
  return { exitCode: 1, stderr };
}
