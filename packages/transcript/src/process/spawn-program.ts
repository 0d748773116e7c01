import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { LineSplitter } from '../line-splitter.ts';
import type { AgentProcess, ProcessExit, ProgramCommand } from './agent-process.ts';
import { AsyncQueue } from './async-queue.ts';
import { MARK_NAME, ProcessGuard } from './process-guard.ts';
import { ProcessTree } from './process-tree.ts';

/** Starts a program in its own process group. Rejects if it cannot be started. */
export async function spawnProgram(command: ProgramCommand): Promise<AgentProcess> {
  const mark = `${MARK_NAME}=${randomUUID()}`;
  const child = spawn(command.command, command.args, {
    cwd: command.cwd,
    env: { ...command.environment, [MARK_NAME]: mark.slice(MARK_NAME.length + 1) },
    detached: true,
    stdio: 'pipe',
  });
  await once(child, 'spawn');
  GUARD.guard(child.pid ?? 0, mark.slice(MARK_NAME.length + 1));
  return new SpawnedProgram(child, new ProcessTree(child.pid ?? 0, mark));
}

class SpawnedProgram implements AgentProcess {
  readonly lines = new AsyncQueue<string>();
  readonly exited: Promise<ProcessExit>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #tree: ProcessTree;
  #stderrTail = '';
  #ending: Promise<void> | undefined;

  constructor(child: ChildProcessWithoutNullStreams, tree: ProcessTree) {
    this.#child = child;
    this.#tree = tree;
    if (RUNNING.size === 0) process.on('exit', killAll);
    RUNNING.add(tree);
    this.#readOutput();
    // Writing to a program that has exited fails; its exit is reported separately.
    child.stdin.on('error', () => undefined);
    this.exited = this.#waitForExit();
  }

  writeLine(text: string): void {
    if (this.#child.stdin.writable) this.#child.stdin.write(`${text}\n`);
  }

  end(): Promise<void> {
    this.#ending ??= this.#endAll();
    return this.#ending;
  }

  async #endAll(): Promise<void> {
    // Recorded before the program is told to end, so that processes that detach now are known.
    this.#tree.members();
    this.#child.stdin.end();
    await this.#tree.end(GRACE_MS);
    await this.exited;
  }

  #readOutput(): void {
    const splitter = new LineSplitter((line) => this.lines.push(line));
    this.#child.stdout.on('data', (chunk: Buffer) => splitter.write(chunk));
    this.#child.stdout.on('close', () => {
      splitter.end();
      this.lines.end();
    });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderrTail = (this.#stderrTail + chunk.toString('utf8')).slice(-STDERR_TAIL_LENGTH);
    });
  }

  async #waitForExit(): Promise<ProcessExit> {
    const closed = once(this.#child, 'close');
    const [code, signal] = (await once(this.#child, 'exit')) as [number | null, string | null];
    // A remaining child may hold the output open and would block the reader.
    await this.#tree.end(GRACE_MS);
    await closed;
    RUNNING.delete(this.#tree);
    GUARD.release(this.#child.pid ?? 0);
    if (RUNNING.size === 0) process.off('exit', killAll);
    return { code, signal, complaint: this.#stderrTail.trim() };
  }
}

const GUARD = new ProcessGuard();

/** Process trees that must not outlive this process. */
const RUNNING = new Set<ProcessTree>();

function killAll(): void {
  for (const tree of RUNNING) tree.killNow();
}

const GRACE_MS = 1500;
const STDERR_TAIL_LENGTH = 4000;
