import { Slots } from '../subagents/slots.ts';
import type { BackgroundTask, BackgroundTaskEnd, BackgroundTaskEvent } from './background-task.ts';
import { type LogPage, TaskLog } from './task-log.ts';

/** What runs behind a task. It resolves with how it ended; a rejection counts as a failure. */
export type BackgroundWork = (scope: {
  readonly signal: AbortSignal;
  readonly write: (text: string) => void;
}) => Promise<BackgroundTaskEnd>;

export interface BackgroundTasksParts {
  /** Tasks of an earlier life of the session. */
  readonly restored: readonly BackgroundTask[];
  readonly events: readonly BackgroundTaskEvent[];
  readonly onChange: (state: BackgroundState) => void;
  readonly onEnd: (task: BackgroundTask) => void;
}

interface BackgroundState {
  readonly tasks: readonly BackgroundTask[];
  readonly events: readonly BackgroundTaskEvent[];
}

/** Maximum tasks running at the same time; the others are queued. */
const MAX_RUNNING_TASKS = 4;
/** Maximum queued and running tasks; beyond that a start is refused. */
export const MAX_OPEN_TASKS = 32;

type NewTask = Pick<BackgroundTask, 'kind' | 'label' | 'input'>;

interface Entry {
  task: BackgroundTask;
  readonly log: TaskLog;
  readonly controller: AbortController;
  ended: Promise<void>;
}

/** The background tasks of one session. */
export class BackgroundTasks {
  readonly #parts: BackgroundTasksParts;
  readonly #entries = new Map<string, Entry>();
  readonly #events: BackgroundTaskEvent[];
  readonly #slots = new Slots(MAX_RUNNING_TASKS);
  #isClosed = false;

  constructor(parts: BackgroundTasksParts) {
    this.#parts = parts;
    this.#events = [...parts.events];
    for (const task of parts.restored) this.#entries.set(task.id, idleEntry(task));
  }

  /** Throws when too many tasks are open already. */
  spawn(given: NewTask, work: BackgroundWork): BackgroundTask {
    const entry = this.#add(given);
    entry.ended = this.#slots.run(() => this.#run(entry, work));
    return entry.task;
  }

  /** Adds work that is already running, so it does not wait for a slot. */
  adopt(given: NewTask, work: BackgroundWork): BackgroundTask {
    const entry = this.#add(given);
    entry.ended = this.#run(entry, work);
    return entry.task;
  }

  #add(given: NewTask): Entry {
    if (this.#isClosed)
      throw new Error('The session is ending; no background task can be started.');
    const open = this.list().filter(isOpen).length;
    if (open >= MAX_OPEN_TASKS) {
      throw new Error(
        `${open} background tasks are open already; cancel one or wait for one to end.`,
      );
    }
    const id = `bg-${this.#entries.size + 1}`;
    const createdAt = new Date().toISOString();
    const entry = idleEntry({ id, ...given, status: 'queued', createdAt });
    this.#entries.set(id, entry);
    this.#change(entry, {});
    return entry;
  }

  list(): BackgroundTask[] {
    return [...this.#entries.values()].map(({ task }) => task);
  }

  get(id: string): BackgroundTask | undefined {
    return this.#entries.get(id)?.task;
  }

  /** Undefined for an unknown task. */
  readLog(id: string, cursor?: number): LogPage | undefined {
    return this.#entries.get(id)?.log.read(cursor);
  }

  /** False when there is nothing to cancel. Resolves once the task has ended. */
  async cancel(id: string): Promise<boolean> {
    const entry = this.#entries.get(id);
    if (!entry || !isOpen(entry.task)) return false;
    entry.controller.abort();
    await entry.ended;
    return true;
  }

  async wait(id: string): Promise<BackgroundTask | undefined> {
    const entry = this.#entries.get(id);
    await entry?.ended;
    return entry?.task;
  }

  /** Ends everything that is open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.list().map(({ id }) => this.cancel(id)));
  }

  async #run(entry: Entry, work: BackgroundWork): Promise<void> {
    const { signal } = entry.controller;
    const write = (text: string) => entry.log.write(text);
    if (!signal.aborted) {
      this.#change(entry, { status: 'running', startedAt: new Date().toISOString() });
    }
    const end = signal.aborted ? CANCELLED : await work({ signal, write }).catch(failure);
    entry.log.flush();
    const status = signal.aborted ? 'cancelled' : end.status;
    this.#change(entry, { ...end, status, endedAt: new Date().toISOString() });
    this.#parts.onEnd(entry.task);
  }

  #change(entry: Entry, changes: Partial<BackgroundTask>): void {
    entry.task = { ...entry.task, ...changes };
    const { id, status } = entry.task;
    this.#events.push({ taskId: id, type: status, at: new Date().toISOString() });
    this.#parts.onChange({ tasks: this.list(), events: [...this.#events] });
  }
}

const CANCELLED: BackgroundTaskEnd = { status: 'cancelled' };

function failure(error: unknown): BackgroundTaskEnd {
  return { status: 'failed', error: error instanceof Error ? error.message : String(error) };
}

function isOpen({ status }: BackgroundTask): boolean {
  return status === 'queued' || status === 'running';
}

function idleEntry(task: BackgroundTask): Entry {
  const controller = new AbortController();
  return { task, log: new TaskLog(), controller, ended: Promise.resolve() };
}
