import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isFileMissing } from '../architectures/file-missing.ts';
import { asNumber, asRecord, asString } from '../json-record.ts';
import { startOf } from '../process/process-table.ts';

/** The process that writes a session. */
export interface LockHolder {
  readonly pid: number;
  /** Start time, which distinguishes the process from a later one with the same id. */
  readonly started: string;
  readonly token: string;
}

/** An exclusive lock for writing a session, between processes of one machine. */
export interface SessionLock {
  release(): Promise<void>;
}

/** Acquires the lock or returns its holder. The lock of a dead process is broken. */
export async function acquireFileLock(path: string): Promise<SessionLock | LockHolder> {
  const own: LockHolder = {
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    token: randomUUID(),
  };
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  for (;;) {
    if (await createLock(path, own)) return { release: () => releaseLock(path, own) };
    const holder = await readLock(path);
    if (holder !== undefined && isAlive(holder)) return holder;
    await breakLock(path, holder);
  }
}

/** The living holder of the lock, if any. */
export async function lockHolderOf(path: string): Promise<LockHolder | undefined> {
  const holder = await readLock(path);
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

/** Linked to its name after it is written, so that nobody reads a partial file. */
async function createLock(path: string, holder: LockHolder): Promise<boolean> {
  const written = `${path}.${holder.token}`;
  try {
    await writeFile(written, JSON.stringify(holder), { mode: 0o600 });
    await link(written, path);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new Error(`Cannot lock ${path}`, { cause: error });
  } finally {
    await rm(written, { force: true });
  }
}

async function readLock(path: string): Promise<LockHolder | undefined> {
  try {
    const { pid, started, token } = asRecord(JSON.parse(await readFile(path, 'utf8')));
    return {
      pid: asNumber(pid) ?? 0,
      started: asString(started) ?? '',
      token: asString(token) ?? '',
    };
  } catch (error) {
    if (isFileMissing(error) || error instanceof SyntaxError) return undefined;
    throw new Error(`Cannot read the lock ${path}`, { cause: error });
  }
}

function isAlive({ pid, started }: LockHolder): boolean {
  const now = startOf(pid);
  return now !== undefined && (started === '' || now === started);
}

/** Renamed first, so that only one of several processes removes it; a fresh lock is restored. */
async function breakLock(path: string, broken: LockHolder | undefined): Promise<void> {
  const renamed = `${path}.${randomUUID()}`;
  try {
    await rename(path, renamed);
  } catch (error) {
    if (isFileMissing(error)) return;
    throw new Error(`Cannot break the lock ${path}`, { cause: error });
  }
  const moved = await readLock(renamed);
  if (moved !== undefined && moved.token !== broken?.token && isAlive(moved)) {
    await rename(renamed, path);
    return;
  }
  await rm(renamed, { force: true });
}

async function releaseLock(path: string, own: LockHolder): Promise<void> {
  const holder = await readLock(path);
  if (holder?.token === own.token) await rm(path, { force: true });
}
