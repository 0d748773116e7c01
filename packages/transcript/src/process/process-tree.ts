import { setTimeout as wait } from 'node:timers/promises';
import { hasInEnvironment, listProcesses, type RunningProcess } from './process-table.ts';

/**
 * A program and its descendants: its process group, its child processes, and processes that left both but
 * have its mark in their environment.
 */
export class ProcessTree {
  readonly #leader: number;
  readonly #mark: string;
  /** Orphans cannot be found by parent id, so processes seen once are remembered. */
  #seen: readonly RunningProcess[] = [];

  /** `mark` is unique to the environment of this program. */
  constructor(leader: number, mark: string) {
    this.#leader = leader;
    this.#mark = mark;
  }

  /** The running processes. */
  members(): readonly RunningProcess[] {
    const now = listProcesses();
    const alive = new Set(now.map(identity));
    const found = new Map<string, RunningProcess>();
    for (const one of this.#seen) if (alive.has(identity(one))) found.set(identity(one), one);
    for (const one of this.#findMembers(now)) found.set(identity(one), one);
    this.#seen = [...found.values()];
    return this.#seen;
  }

  /** Sends SIGTERM, and SIGKILL after `graceMs`; resolves when no process is left. */
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

  /** Kills remaining processes without waiting; for the exit of this process. */
  killNow(): void {
    this.#signal('SIGKILL');
  }

  #signal(signal: NodeJS.Signals): boolean {
    const members = this.members();
    for (const { pid } of members) sendSignal(pid, signal);
    return members.length > 0;
  }

  #findMembers(now: readonly RunningProcess[]): RunningProcess[] {
    const pids = new Set([this.#leader]);
    const rest = new Set(now);
    const found: RunningProcess[] = [];
    for (let hasGrown = true; hasGrown; ) {
      hasGrown = false;
      for (const one of rest) {
        if (!this.#belongs(one, pids)) continue;
        rest.delete(one);
        pids.add(one.pid);
        found.push(one);
        hasGrown = true;
      }
    }
    const marked = [...rest].filter((one) => hasInEnvironment(one.pid, this.#mark));
    return [...found, ...marked];
  }

  #belongs(one: RunningProcess, pids: ReadonlySet<number>): boolean {
    return pids.has(one.pid) || one.group === this.#leader || pids.has(one.parent);
  }
}

function identity({ pid, started }: RunningProcess): string {
  return `${pid}@${started}`;
}

function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // ESRCH: already exited. EPERM: reported by some systems for zombies.
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code !== 'ESRCH' && code !== 'EPERM') throw error;
  }
}

const POLL_MS = 15;
const LAST_RESORT_MS = 5000;
