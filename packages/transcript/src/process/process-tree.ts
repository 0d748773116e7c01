import { setTimeout as wait } from 'node:timers/promises';
import { hasInEnvironment, listProcesses, type RunningProcess } from './process-table.ts';

/**
 * A program and everything that came out of it: its process group, its descendants, and processes that left both but
 * carry its mark in their environment.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #mark: string;
  /** Orphans can no longer be found by descent, so whoever was seen once is remembered. */
  #seen: readonly RunningProcess[] = [];

  /** `mark` is a text that stands only in the environment of this program. */
  constructor(leader: number, mark: string) {
    this.#leader = leader;
    this.#mark = mark;
  }

  /** Those alive now. */
  members(): readonly RunningProcess[] {
    const now = listProcesses();
    const alive = new Set(now.map(identity));
    const found = new Map<string, RunningProcess>();
    for (const one of this.#seen) if (alive.has(identity(one))) found.set(identity(one), one);
    for (const one of this.#relatives(now)) found.set(identity(one), one);
    this.#seen = [...found.values()];
    return this.#seen;
  }

  /** Returns when nobody is left: asked first, and after `graceMs` ended by force. */
  async end(graceMs: number): Promise<void> {
    if (!this.#signal('SIGTERM')) return;
    const deadline = Date.now() + graceMs;
    while (Date.now() < deadline) {
      if (this.members().length === 0) return;
      await wait(POLL_MS);
    }
    const last = Date.now() + LAST_RESORT_MS;
    while (this.#signal('SIGKILL')) {
      if (Date.now() > last) throw new Error(`Process ${this.#leader} cannot be ended`);
      await wait(POLL_MS);
    }
  }

  /** Ends what is left at once, without waiting; for the exit of this process. */
  killNow(): void {
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): boolean {
    const members = this.members();
    for (const { pid } of members) signalQuietly(pid, signal);
    return members.length > 0;
  }

  #relatives(now: readonly RunningProcess[]): RunningProcess[] {
    const family = new Set([this.#leader]);
    const rest = new Set(now);
    const found: RunningProcess[] = [];
    for (let hasGrown = true; hasGrown; ) {
      hasGrown = false;
      for (const one of rest) {
        if (!this.#belongs(one, family)) continue;
        rest.delete(one);
        family.add(one.pid);
        found.push(one);
        hasGrown = true;
      }
    }
    const strays = [...rest].filter((one) => hasInEnvironment(one.pid, this.#mark));
    return [...found, ...strays];
  }

  #belongs(one: RunningProcess, family: ReadonlySet<number>): boolean {
    return family.has(one.pid) || one.group === this.#leader || family.has(one.parent);
  }
}

function identity({ pid, started }: RunningProcess): string {
  return `${pid}@${started}`;
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Gone in the meantime is what was wanted; of a zombie, some systems say it is not ours.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

const POLL_MS = 15;
const LAST_RESORT_MS = 5000;
