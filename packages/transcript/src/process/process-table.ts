import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A running process, told apart by `started` from a later one that got the same id. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly started: string;
}

/** Everything that runs on this machine and has not ended; empty where processes cannot be listed. */
export function listProcesses(): RunningProcess[] {
  try {
    return process.platform === 'linux' ? listFromProc() : listFromPs();
  } catch {
    // Without /proc and ps the process group is still known and ended.
    return [];
  }
}

/** When a running process was started; `undefined` when there is none of that id. */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return readStatus(pid)[0]?.started;
  return listProcesses().find((one) => one.pid === pid)?.started;
}

/** Whether the process was started with this text in its environment. Only Linux tells. */
export function hasInEnvironment(pid: number, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(text);
  } catch {
    // Gone by now, somebody else's, or a system that does not tell.
    return false;
  }
}

function listFromProc(): RunningProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStatus(Number(name)));
}

function readStatus(pid: number): RunningProcess[] {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command stands in parentheses and may contain spaces and parentheses itself.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return [];
    const [, parent, group] = fields;
    return [{ pid, parent: Number(parent), group: Number(group), started: fields[19] ?? '' }];
  } catch {
    // A process may end while it is being read.
    return [];
  }
}

function listFromPs(): RunningProcess[] {
  const table = execFileSync('ps', ['-axo', 'pid=,ppid=,pgid=,stat=,lstart='], {
    encoding: 'utf8',
  });
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, started] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (pid === undefined || state?.startsWith('Z')) return [];
    return [
      { pid: Number(pid), parent: Number(parent), group: Number(group), started: started ?? '' },
    ];
  });
}
