import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { hasCode } from '../files/real-path.ts';

/** A started process, told apart from a later one that got the same id. */
interface KnownProcess {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
}

export interface ProcessTreeOptions {
  /** A variable and its value that everything the command started carries, unless it cleared its environment. */
  readonly mark?: string | undefined;
  /** The leader only holds the others: all are gone when it is, so it is not asked to end but killed last. */
  readonly isHolder?: boolean | undefined;
}

/** A command's process group, everything that left the group but descends from it, and whoever carries its mark. */
export class ProcessTree {
  readonly #leader: number;
  readonly #options: ProcessTreeOptions;
  #descendants: readonly KnownProcess[] = [];

  constructor(leader: number, options: ProcessTreeOptions = {}) {
    this.#leader = leader;
    this.#options = options;
  }

  /** Asks all to end. Remembers them, because orphans can no longer be found by descent. */
  terminate(): void {
    this.#descendants = this.#members(listProcesses());
    this.#signalAll('SIGTERM');
  }

  kill(): void {
    const now = listProcesses();
    const known = [...this.#descendants, ...this.#members(now)];
    const alive = new Set(now.map(identity));
    this.#descendants = known.filter((one) => alive.has(identity(one)));
    this.#signalAll('SIGKILL');
  }

  #members(all: readonly KnownProcess[]): readonly KnownProcess[] {
    const { mark } = this.#options;
    const marked =
      mark === undefined ? [] : all.filter(({ pid }) => pid !== process.pid && carries(pid, mark));
    const leaders = [this.#leader, ...marked.map(({ pid }) => pid)];
    return [...marked, ...descendantsOf(leaders, all)];
  }

  /** Whether anybody who was asked to end is still there. */
  isAlive(): boolean {
    return [-this.#leader, ...this.#descendants.map(({ pid }) => pid)].some(exists);
  }

  /** Ends the group at once without looking around; for the exit of this process. */
  killGroup(): void {
    signalQuietly(-this.#leader, 'SIGKILL');
  }

  #signalAll(signal: NodeJS.Signals): void {
    const spared = this.#options.isHolder === true && signal === 'SIGTERM';
    if (!spared) signalQuietly(-this.#leader, signal);
    for (const { pid } of this.#descendants) signalQuietly(pid, signal);
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !hasCode(error, 'ESRCH');
  }
}

function signalQuietly(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Already gone, or (on macOS) only zombies are left of the group.
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}

function identity({ pid, started }: KnownProcess): string {
  return `${pid}@${started}`;
}

/** Whether a process was started with this variable; what belongs to others cannot be read, nor be ended. */
function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    return false; // Gone meanwhile, not ours, or a system without /proc.
  }
}

function descendantsOf(leaders: readonly number[], all: readonly KnownProcess[]): KnownProcess[] {
  const family = new Set(leaders);
  const found: KnownProcess[] = [];
  for (let grown = true; grown; ) {
    grown = false;
    for (const one of all) {
      if (!family.has(one.parent) || family.has(one.pid)) continue;
      family.add(one.pid);
      found.push(one);
      grown = true;
    }
  }
  return found;
}

function listProcesses(): KnownProcess[] {
  try {
    return process.platform === 'linux' ? listFromProc() : listFromPs();
  } catch {
    // Where processes cannot be listed (no /proc, no ps), the group is still ended.
    return [];
  }
}

function listFromProc(): KnownProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcessStatus(Number(name)));
}

function readProcessStatus(pid: number): KnownProcess[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name stands in parentheses and may itself contain spaces and parentheses.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return [{ pid, parent: Number(fields[1]), started: fields[19] ?? '' }];
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return [];
    throw error;
  }
}

function listFromPs(): KnownProcess[] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid=,lstart='], { encoding: 'utf8' });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, started] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid && parent
      ? [{ pid: Number(pid), parent: Number(parent), started: started ?? '' }]
      : [];
  });
}
