import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A transcript that was written to so recently is taken to be in use. */
const RECENTLY_MS = 60_000;

/** For each session whether somebody is at it: our own say so by their lock, others by writing. */
export function liveSessions(
  sessions: readonly { readonly type: string; readonly id: string; readonly path: string }[],
  now: number,
): boolean[] {
  return sessions.map(({ type, path }) =>
    type === 'robota' ? isLockHeld(lockOf(path)) : wasWritten(path, now),
  );
}

/** The lock lies beside the record, in `sessions/`, wherever the log is. */
function lockOf(path: string): string {
  const id = basename(path).replace(/\.jsonl?$/, '');
  return join(dirname(dirname(path)), 'sessions', `${id}.lock`);
}

function isLockHeld(lock: string): boolean {
  try {
    const { pid } = JSON.parse(readFileSync(lock, 'utf8')) as { readonly pid?: unknown };
    if (typeof pid !== 'number') return false;
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // No lock, a torn one, or a holder that is gone; a holder of somebody else's may not be asked, and lives.
    return error instanceof Error && Reflect.get(error, 'code') === 'EPERM';
  }
}

function wasWritten(path: string, now: number): boolean {
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    return found !== undefined && now - found.mtimeMs < RECENTLY_MS;
  } catch {
    // A path into a database has no file of its own.
    return false;
  }
}
