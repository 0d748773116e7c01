import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SandboxRunOptions, SandboxRunResult } from '@robota-sdk/agent-core';
import type { Confinement, ConfinementKind } from '../confinement/confinement.ts';
import { BoundedOutput } from './bounded-output.ts';
import { ProcessTree } from './process-tree.ts';

/** Time between SIGTERM and SIGKILL: shorter for an abort, because a person is waiting. */
const ABORT_GRACE_MS = 100;
const TIMEOUT_GRACE_MS = 1_000;
/** How long to wait for output after the command has ended while a background process holds its pipes. */
const FLUSH_MS = 100;
const POLL_MS = 10;
/** How often what appeared meanwhile is killed. */
const MAX_ROUNDS = 20;

/** Runs a shell command in its own process group, with stdin closed and output bounded as it arrives. */
export async function runCommand(
  command: string,
  options: RunCommandOptions,
): Promise<SandboxRunResult> {
  options.signal.throwIfAborted();
  const started = startCommand(command, options);
  const { child } = started;
  const stdout = collect(child.stdout, options);
  const stderr = collect(child.stderr, options);
  const ending = await waitForEnd(started, options).finally(started.ended);
  return {
    stdout: stdout.toString(),
    stderr: stderr.toString(),
    ...ending,
    droppedBytes: stdout.droppedBytes + stderr.droppedBytes,
  };
}

export interface RunCommandOptions extends SandboxRunOptions {
  /** The command's complete environment; this process's by default. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** How the system confines the command. */
  readonly confined?: { readonly by: Confinement; readonly kind: ConfinementKind } | undefined;
  /** The project, for a confined command. */
  readonly roots?: readonly string[] | undefined;
}

interface StartedCommand {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly tree: (pid: number) => ProcessTree;
  readonly ended: () => void;
}

/** Marks everything that the call starts, so that a timeout also finds processes outside its group. */
const MARK = 'ROBOTA_CALL';

function startCommand(command: string, options: RunCommandOptions): StartedCommand {
  const mark = `${MARK}=${randomUUID()}`;
  const env = { ...(options.env ?? process.env), [MARK]: mark.slice(MARK.length + 1) };
  const { confined, workingDirectory = process.cwd(), roots = [workingDirectory] } = options;
  const base = { cwd: options.workingDirectory, env, detached: true } as const;
  if (confined === undefined) {
    const child = spawn(shell(), ['-c', command], { ...base, stdio: ['ignore', 'pipe', 'pipe'] });
    return { child, tree: (pid) => new ProcessTree(pid, { mark }), ended: () => undefined };
  }
  const { kind, by } = confined;
  const start = by.start({ kind, command, shell: shell(), workingDirectory, roots });
  const child = spawn(start.file, start.args, {
    ...base,
    stdio: ['ignore', 'pipe', 'pipe', ...start.descriptors],
  });
  start.started();
  const isContainer = by.name === 'bubblewrap';
  const tree = (pid: number) => new ProcessTree(pid, isContainer ? { isContainer } : { mark });
  return { child: withStreams(child), tree, ended: start.ended };
}

/** With extra descriptors the type no longer says that the first three are pipes. */
function withStreams(child: ChildProcess): StartedCommand['child'] {
  if (child.stdout === null || child.stderr === null)
    throw new Error('Cannot read what the command says');
  return child as StartedCommand['child'];
}

type Ending = Pick<SandboxRunResult, 'exitCode' | 'signal' | 'timedOut'>;

let foundShell: string | undefined;

/** Models write for bash; without it the system shell is used. */
function shell(): string {
  foundShell ??= ['/bin/bash', '/usr/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
  return foundShell;
}

function collect(
  stream: Readable,
  { outputLimitBytes, onOutput }: SandboxRunOptions,
): BoundedOutput {
  const output = new BoundedOutput(outputLimitBytes);
  const decoder = new StringDecoder('utf8');
  stream.on('data', (chunk: Buffer) => {
    output.push(chunk);
    onOutput?.(decoder.write(chunk));
  });
  return output;
}

async function waitForEnd(
  { child, tree: treeOf }: StartedCommand,
  options: SandboxRunOptions,
): Promise<Ending> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  await started(child, options);
  const tree = treeOf(pidOf(child));
  const release = killOnExit(tree);
  let timedOut = false;
  let allEnded: Promise<void> | undefined;
  let deadline = Number.POSITIVE_INFINITY;
  const end = (graceMs: number) => {
    deadline = Math.min(deadline, performance.now() + graceMs);
    allEnded ??= endAll(tree, () => deadline);
  };
  const onAbort = () => end(ABORT_GRACE_MS);
  const timer = setTimeout(() => {
    timedOut = child.exitCode === null && child.signalCode === null;
    if (timedOut) end(TIMEOUT_GRACE_MS);
  }, options.timeoutMs);
  options.signal.addEventListener('abort', onAbort, { once: true });
  if (options.signal.aborted) onAbort();
  try {
    const { code, signal } = await exited(child);
    await allEnded;
    await flushed(child, closed);
    return { exitCode: code, ...(signal ? { signal } : {}), timedOut };
  } finally {
    clearTimeout(timer);
    options.signal.removeEventListener('abort', onAbort);
    release();
  }
}

/** Terminates a command with all its descendants, and kills those still alive at the deadline. */
async function endAll(tree: ProcessTree, deadline: () => number): Promise<void> {
  tree.terminate();
  while (tree.isAlive() && performance.now() < deadline()) await sleep(POLL_MS);
  // A process may start another one between being listed and being killed.
  for (let round = 0; tree.kill() && round < MAX_ROUNDS; round++) await sleep(POLL_MS);
}

/** Rejects when the command could not be started. */
function started(child: ChildProcess, options: SandboxRunOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => {
      const place = options.workingDirectory ?? process.cwd();
      const reason = existsSync(place) ? error.message : `no such directory: ${place}`;
      reject(new Error(`Cannot start the command: ${reason}`, { cause: error }));
    });
  });
}

/** Never a default: process 0 would be our own group. */
function pidOf({ pid }: ChildProcess): number {
  if (pid === undefined) throw new Error('Cannot start the command: it has no process id');
  return pid;
}

function exited(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
}

/** Resolves when both streams have ended, or soon after when a background process keeps them open. */
async function flushed(child: ChildProcess, closed: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(() => {
      // What has arrived by now is read before this runs, also when this process had to wait for its turn.
      setImmediate(() => {
        drain(child.stdout);
        drain(child.stderr);
        resolve();
      });
    }, FLUSH_MS);
  });
  await Promise.race([closed, enough]);
  clearTimeout(timer);
}

/** Drains a stream until this process exits, so that a background process neither blocks nor gets SIGPIPE. */
function drain(stream: Readable | null): void {
  stream?.removeAllListeners('data');
  stream?.resume();
  if (stream && 'unref' in stream && typeof stream.unref === 'function') stream.unref();
}

const running = new Set<ProcessTree>();

function killOnExit(tree: ProcessTree): () => void {
  if (running.size === 0) process.on('exit', killRunning);
  running.add(tree);
  return () => {
    running.delete(tree);
    if (running.size === 0) process.removeListener('exit', killRunning);
  };
}

function killRunning(): void {
  for (const tree of running) tree.killGroup();
}
