import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { cannotRead, readRegularFile } from '../regular-file.ts';
import { hasErrorCode, isFileMissing, sessionError } from '../session-error.ts';

/** Lock of the only writer of a session. */
export interface WriterLock {
  readonly token: string;
  /** False once another writer holds it. */
  isHeld(): boolean;
  /** Aborts when the lock is lost, if the store can detect that; all work for the session must then end. */
  readonly lost?: AbortSignal | undefined;
  release(): void;
}

interface LockHolder {
  readonly pid: number;
  /** Distinguishes processes that got the same pid one after the other. */
  readonly startedAt: string;
  readonly token: string;
}

/** Acquires the lock file `path`, breaking a stale one; throws `session_locked` if the holder is alive. */
export function acquireWriterLock(path: string, sessionId: string): WriterLock {
  const holder: LockHolder = {
    pid: process.pid,
    startedAt: processStart(process.pid) ?? '',
    token: randomUUID(),
  };
  for (let attempt = 0; attempt < 5; attempt++) {
    if (tryClaim(path, holder)) return heldLock(path, holder.token);
    const current = readHolder(path);
    if (current && isAlive(current)) throw lockedError(sessionId, current);
    if (current !== undefined) breakStale(path, current);
  }
  throw sessionError(
    'session_locked',
    `Session ${sessionId} is being opened elsewhere; try again, open it read-only or fork it.`,
  );
}

function heldLock(path: string, token: string): WriterLock {
  const isHeld = () => readHolder(path)?.token === token;
  return {
    token,
    isHeld,
    release() {
      if (isHeld()) rmSync(path, { force: true });
    },
  };
}

/** A hard link appears with its complete content, so nobody reads a half-written lock. */
function tryClaim(path: string, holder: LockHolder): boolean {
  const draft = `${path}.${holder.token}`;
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (hasErrorCode(error, 'EEXIST')) return false;
    throw new Error(`Cannot create the session lock ${path}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Undefined when there is no lock; null when the file is unreadable, which counts as stale. */
function readHolder(path: string): LockHolder | null | undefined {
  let text: string;
  try {
    text = readRegularFile(path).toString('utf8');
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw cannotRead(`the session lock ${path}`, error);
  }
  try {
    const value: unknown = JSON.parse(text);
    return isHolder(value) ? value : null;
  } catch {
    return null;
  }
}

function isHolder(value: unknown): value is LockHolder {
  const holder = value as Partial<LockHolder> | null;
  return typeof holder?.pid === 'number' && typeof holder.token === 'string';
}

/** Renames the stale lock first, so that only one of two concurrent breakers removes it. */
function breakStale(path: string, stale: LockHolder | null): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (isFileMissing(error)) return;
    throw new Error(`Cannot break the stale session lock ${path}`, { cause: error });
  }
  const moved = readHolder(aside);
  if (moved && moved.token !== stale?.token && isAlive(moved)) {
    restoreLock(aside, path);
    return;
  }
  rmSync(aside, { force: true });
}

function restoreLock(aside: string, path: string): void {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) {
      throw new Error(`Cannot restore the session lock ${path}`, { cause: error });
    }
  } finally {
    rmSync(aside, { force: true });
  }
}

function isAlive(holder: LockHolder): boolean {
  const startedAt = processStart(holder.pid);
  if (startedAt === undefined) return false;
  return (
    holder.startedAt === '' || holder.startedAt === undefined || startedAt === holder.startedAt
  );
}

function lockedError(sessionId: string, holder: LockHolder): Error {
  return sessionError(
    'session_locked',
    `Session ${sessionId} is open for writing in process ${holder.pid}; close it there, open it read-only or fork it.`,
  );
}

/** Start time of a process in the system's format; undefined if there is no such process. */
function processStart(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxProcessStart(pid) : portableProcessStart(pid);
}

function linuxProcessStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain spaces; the start time is field 22, the 20th after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch (error) {
    if (isFileMissing(error) || hasErrorCode(error, 'ESRCH')) return undefined;
    throw new Error(`Cannot look up process ${pid}`, { cause: error });
  }
}

function portableProcessStart(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    // `ps` exits with 1 when there is no such process.
    return undefined;
  }
}
