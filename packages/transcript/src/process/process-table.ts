import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** A running process; `started` distinguishes it from a later one with the same id. */
export interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly started: string;
}

/** All running processes of this machine; empty if they cannot be listed. */
export function listProcesses(): RunningProcess[] {
  try {
    return process.platform === 'linux' ? listFromProc() : listFromPs();
  } catch {
    // Without /proc and ps, at least the process group can be ended.
    return [];
  }
}

/** The start time of a running process; `undefined` if there is none with this id. */
export function startOf(pid: number): string | undefined {
  if (process.platform === 'linux') return readStatus(pid)[0]?.started;
  return listProcesses().find((one) => one.pid === pid)?.started;
}

/** Whether the process has this text in its environment. Only works on Linux. */
export function hasInEnvironment(pid: number, text: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(text);
  } catch {
    // Exited, owned by another user, or not supported by the system.
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
    // The command is in parentheses and may itself contain spaces and parentheses.
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
