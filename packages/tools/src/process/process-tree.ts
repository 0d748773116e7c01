import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { hasCode } from '../files/resolve-links.ts';

/** A started process, distinguished from a later one with the same id. */
interface KnownProcess {
  readonly pid: number;
  readonly parent: number;
  readonly started: string;
}

export interface ProcessTreeOptions {
  /** An environment variable that every descendant inherits, unless it clears its environment. */
  readonly mark?: string | undefined;
  /** The leader only contains the others, which end with it, so it gets no SIGTERM and is killed last. */
  readonly isContainer?: boolean | undefined;
}

/** A command's process group, its descendants outside the group, and every process that carries its mark. */
export class ProcessTree {
  readonly #leader: number;
  readonly #options: ProcessTreeOptions;
  #descendants: readonly KnownProcess[] = [];
  readonly #killed = new Set<string>();

  constructor(leader: number, options: ProcessTreeOptions = {}) {
    this.#leader = leader;
    this.#options = options;
  }

  /** Sends SIGTERM to all and remembers them, because orphans can no longer be found by descent. */
  terminate(): void {
    this.#descendants = this.#members(listProcesses());
    this.#signalAll('SIGTERM');
  }

  /** Sends SIGKILL to all; true when one of them was not killed before and may have started others meanwhile. */
  kill(): boolean {
    const now = listProcesses();
    const known = [...this.#descendants, ...this.#members(now)];
    const alive = new Set(now.map(identity));
    this.#descendants = known.filter((one) => alive.has(identity(one)));
    this.#signalAll('SIGKILL');
    const added = this.#descendants.filter((one) => !this.#killed.has(identity(one)));
    for (const one of added) this.#killed.add(identity(one));
    return added.length > 0;
  }

  #members(all: readonly KnownProcess[]): readonly KnownProcess[] {
    const { mark } = this.#options;
    const marked =
      mark === undefined ? [] : all.filter(({ pid }) => pid !== process.pid && carries(pid, mark));
    const leaders = [this.#leader, ...marked.map(({ pid }) => pid)];
    return [...marked, ...descendantsOf(leaders, all)];
  }

  /** Whether a process that got the signal is still alive. */
  isAlive(): boolean {
    return [-this.#leader, ...this.#descendants.map(({ pid }) => pid)].some(exists);
  }

  /** Kills the group at once without listing processes; for the exit of this process. */
  killGroup(): void {
    trySignal(-this.#leader, 'SIGKILL');
  }

  #signalAll(signal: NodeJS.Signals): void {
    const isSkipped = this.#options.isContainer === true && signal === 'SIGTERM';
    if (!isSkipped) trySignal(-this.#leader, signal);
    for (const { pid } of this.#descendants) trySignal(pid, signal);
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

function trySignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // Already gone, or (on macOS) only zombies are left in the group.
    if (!hasCode(error, 'ESRCH') && !hasCode(error, 'EPERM')) throw error;
  }
}

function identity({ pid, started }: KnownProcess): string {
  return `${pid}@${started}`;
}

/** Whether a process has this variable; processes of other users can be neither read nor killed. */
function carries(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark);
  } catch {
    return false; // Gone meanwhile, owned by another user, or a system without /proc.
  }
}

function descendantsOf(leaders: readonly number[], all: readonly KnownProcess[]): KnownProcess[] {
  const descendants = new Set(leaders);
  const found: KnownProcess[] = [];
  for (let hasGrown = true; hasGrown; ) {
    hasGrown = false;
    for (const one of all) {
      if (!descendants.has(one.parent) || descendants.has(one.pid)) continue;
      descendants.add(one.pid);
      found.push(one);
      hasGrown = true;
    }
  }
  return found;
}

function listProcesses(): KnownProcess[] {
  try {
    return process.platform === 'linux' ? listFromProc() : listFromPs();
  } catch {
    // Without /proc and ps the group is still killed.
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
    // The command name is in parentheses and may itself contain spaces and parentheses.
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
