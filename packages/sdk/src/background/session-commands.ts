import type { SandboxRunResult } from '@robota-sdk/agent-core';
import type {
  CommandBackground,
  CommandScope,
  MovedCommand,
  ReadyCommand,
} from '@robota-sdk/agent-tools';
import type { BackgroundTask } from './background-task.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { MAX_RUNTIME_MS, processEnd } from './process-work.ts';

/** Characters of earlier output that a task starts with when a running command is moved. */
const KEPT_CHARACTERS = 256 * 1024;

/** The commands of one session: those in the foreground, and those that became background tasks. */
export class SessionCommands implements CommandBackground {
  readonly #tasks: () => BackgroundTasks | undefined;
  readonly #foreground = new Set<ForegroundCommand>();

  /** Takes a function because tools are created before the tasks of their session. */
  constructor(tasks: () => BackgroundTasks | undefined) {
    this.#tasks = tasks;
  }

  start(command: ReadyCommand): MovedCommand {
    const task = this.#open().spawn(described(command), async ({ signal, write }) =>
      processEnd(await command.run({ signal, timeoutMs: MAX_RUNTIME_MS, onOutput: write })),
    );
    return { text: `Runs in the background as ${task.id}. ${HOW_TO_READ}` };
  }

  async wait(command: ReadyCommand, scope: CommandScope): Promise<SandboxRunResult | MovedCommand> {
    const waited = new ForegroundCommand(command, scope);
    this.#foreground.add(waited);
    try {
      return await waited.ended;
    } finally {
      this.#foreground.delete(waited);
    }
  }

  /** Moves every foreground command to the background. */
  moveAll(): BackgroundTask[] {
    const tasks = this.#open();
    return [...this.#foreground].map((waited) => waited.moveTo(tasks));
  }

  #open(): BackgroundTasks {
    const tasks = this.#tasks();
    if (tasks) return tasks;
    throw new Error('Commands cannot run in the background here.');
  }
}

const HOW_TO_READ =
  'BackgroundOutput reads what it writes, BackgroundCancel stops it, and you are told when it ends.';

/** A command that a tool call waits for, until it ends or is moved to the background. */
class ForegroundCommand {
  readonly ended: Promise<SandboxRunResult | MovedCommand>;
  readonly #command: ReadyCommand;
  readonly #controller = new AbortController();
  readonly #running: Promise<SandboxRunResult>;
  readonly #leave: () => void;
  #resolveMoved: (moved: MovedCommand) => void = () => undefined;
  #write: ((text: string) => void) | undefined;
  #kept = '';
  #isTimedOut = false;

  constructor(command: ReadyCommand, { signal, timeoutMs, onOutput }: CommandScope) {
    this.#command = command;
    const stop = () => this.#controller.abort();
    const timer = setTimeout(() => {
      this.#isTimedOut = true;
      stop();
    }, timeoutMs);
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    this.#leave = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    this.#running = this.#run(onOutput);
    const moved = new Promise<MovedCommand>((resolve) => {
      this.#resolveMoved = resolve;
    });
    this.ended = Promise.race([this.#running, moved]).finally(this.#leave);
  }

  moveTo(tasks: BackgroundTasks): BackgroundTask {
    const task = tasks.adopt(described(this.#command), async ({ signal, write }) => {
      signal.addEventListener('abort', () => this.#controller.abort(), { once: true });
      write(this.#kept);
      this.#kept = '';
      this.#write = write;
      return processEnd(await this.#running);
    });
    this.#leave();
    this.#resolveMoved({
      text: `The user moved this command to the background, where it goes on as ${task.id}. ${HOW_TO_READ}`,
    });
    return task;
  }

  async #run(onOutput: (text: string) => void): Promise<SandboxRunResult> {
    const { signal } = this.#controller;
    const result = await this.#command.run({
      signal,
      timeoutMs: MAX_RUNTIME_MS,
      onOutput: (text) => {
        if (this.#write) this.#write(text);
        else {
          this.#kept = (this.#kept + text).slice(-KEPT_CHARACTERS);
          onOutput(text);
        }
      },
    });
    return this.#isTimedOut ? { ...result, timedOut: true } : result;
  }
}

function described({ command }: ReadyCommand): Pick<BackgroundTask, 'kind' | 'label' | 'input'> {
  return { kind: 'process', label: command.slice(0, 60), input: command };
}
