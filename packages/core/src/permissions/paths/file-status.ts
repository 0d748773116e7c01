import { lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isRecorded, recordFact } from './disk-facts.ts';

/** The `lstat` of a path; undefined when it does not exist or is not accessible. */
export function entryStatus(absolute: string): Stats | undefined {
  const status = cachedStatus(absolute);
  if (status !== undefined || !recordMissing(absolute)) {
    recordFact('entry', { read: entryStamp, path: absolute, value: stampOf(status) });
  }
  return status;
}

/** A pipe or a device: reading blocks, or takes data meant for another reader. */
export function isPipeOrDevice(
  entry: Pick<Stats, 'isFIFO' | 'isCharacterDevice' | 'isBlockDevice'>,
) {
  return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
}

/** Whether a path is a directory or a link to one. */
export function leadsToDirectory(absolute: string): boolean {
  const leads = readIsDirectory(absolute);
  recordFact('directory', { read: readIsDirectory, path: absolute, value: leads });
  return leads === 'yes';
}

/** Whether a path exists, links followed. */
export function pathExists(absolute: string): boolean {
  const exists = readExists(absolute);
  // A dangling link exists itself, and its target may appear elsewhere.
  if (exists === 'yes' || cachedStatus(absolute) !== undefined || !recordMissing(absolute)) {
    recordFact('exists', { read: readExists, path: absolute, value: exists });
  }
  return exists === 'yes';
}

/**
 * A more recent change may be followed by another with the same time stamp: some file systems tick every two seconds.
 */
const SETTLED_MS = 3_000;

/** Whether any further change would alter the stamp. */
export function hasSettled({ ctimeMs }: Stats): boolean {
  return Date.now() - ctimeMs >= SETTLED_MS;
}

/**
 * A path stays missing while its directory is unchanged, so one stat covers all missing entries of a directory. False
 * when the directory cannot prove that.
 */
function recordMissing(absolute: string): boolean {
  const folder = path.dirname(absolute);
  if (isRecorded('folder', folder)) return true;
  const status = followTo(folder);
  if (status?.isDirectory() !== true || !hasSettled(status)) return false;
  recordFact('folder', { read: folderStamp, path: folder, value: stampOf(status) });
  return true;
}

function folderStamp(absolute: string): string {
  return stampOf(followTo(absolute));
}

/** Changes whenever the entry or its content may have changed. */
export function stampOf(status: Stats | undefined): string {
  if (status === undefined) return 'none';
  const { dev, ino, mode, size, mtimeMs, ctimeMs } = status;
  return `${dev} ${ino} ${mode} ${size} ${mtimeMs} ${ctimeMs}`;
}

function entryStamp(absolute: string): string {
  return stampOf(cachedStatus(absolute));
}

function readExists(absolute: string): string {
  return followTo(absolute) === undefined ? 'no' : 'yes';
}

function readIsDirectory(absolute: string): string {
  return followTo(absolute)?.isDirectory() === true ? 'yes' : 'no';
}

function followTo(absolute: string): Stats | undefined {
  const status = cachedStatus(absolute);
  if (status?.isSymbolicLink() !== true) return status;
  return orUndefined(() => statSync(absolute, { throwIfNoEntry: false }));
}

/** Each path is read once per decision, so that a decision sees one state of the disk. */
const statuses = new Map<string, Stats | undefined>();

/** Called at the start of a decision. */
export function clearStatuses(): void {
  if (statuses.size > 0) statuses.clear();
}

/** Like `entryStatus`, for callers that record their own facts. */
export function cachedStatus(absolute: string): Stats | undefined {
  const known = statuses.get(absolute);
  if (known !== undefined || statuses.has(absolute)) return known;
  const status = orUndefined(() => lstatSync(absolute, { throwIfNoEntry: false }));
  statuses.set(absolute, status);
  return status;
}

function orUndefined(read: () => Stats | undefined): Stats | undefined {
  try {
    return read();
  } catch {
    return undefined; // A parent is not a directory, or access is denied.
  }
}
