import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A transcript written this recently counts as in use. */
const RECENTLY_MS = 60_000;

/** What tells whether a session is in use. */
export interface MaybeLive {
  readonly type: string;
  readonly path: string;
  readonly updatedAt: number;
}

/** Whether each session is in use: our own by their lock, others by recent writes. */
export function liveSessions(sessions: readonly MaybeLive[], now: number): boolean[] {
  return sessions.map(({ type, path, updatedAt }) =>
    type === 'robota'
      ? isLockHeld(lockOf(path))
      : // A time in the future says that a clock was changed, not that the session is in use.
        Math.abs(now - (writtenAt(path) ?? updatedAt)) < RECENTLY_MS,
  );
}

/** The lock is beside the record, in `sessions/`, wherever the log is. */
function lockOf(path: string): string {
  const id = basename(path).replace(/\.jsonl?$/, '');
  return join(dirname(dirname(path)), 'sessions', `${id}.lock`);
}

function isLockHeld(lock: string): boolean {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(lock, 'utf8')) as {
      readonly pid?: unknown;
      readonly startedAt?: unknown;
    };
    return typeof pid === 'number' && isRunning(pid) && !isSuccessor(pid, startedAt);
  } catch {
    // No lock, or a torn one.
    return false;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means a live process of another user.
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM';
  }
}

/** Whether the process got the pid of a holder that died, as after a restart; told only where it costs one small read. */
function isSuccessor(pid: number, startedAt: unknown): boolean {
  if (process.platform !== 'linux' || typeof startedAt !== 'string' || startedAt === '')
    return false;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain spaces; the start time is field 22, the 20th after it.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] !== startedAt;
}

/** Undefined for a session in a database, which has no file of its own. */
function writtenAt(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  } catch {
    return undefined;
  }
}
