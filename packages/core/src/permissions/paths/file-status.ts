import { existsSync, lstatSync, type Stats, statSync } from 'node:fs';
import path from 'node:path';
import { isNoted, noteFact } from './disk-facts.ts';

/** What stands at a path, links not followed; undefined where nothing does or we may not look. */
export function entryStatus(absolute: string): Stats | undefined {
  const status = lookAt(absolute);
  if (status !== undefined || !noteMissing(absolute)) {
    noteFact('entry', { learn: entryStamp, path: absolute, learned: stampOf(status) });
  }
  return status;
}

/** A pipe or a device: whoever reads it waits, or takes what was meant for somebody else. */
export function isEndless(entry: Pick<Stats, 'isFIFO' | 'isCharacterDevice' | 'isBlockDevice'>) {
  return entry.isFIFO() || entry.isCharacterDevice() || entry.isBlockDevice();
}

/** Whether a path leads to a directory. */
export function leadsToDirectory(absolute: string): boolean {
  const leads = directoryWord(absolute);
  noteFact('directory', { learn: directoryWord, path: absolute, learned: leads });
  return leads === 'yes';
}

/** Whether a path leads anywhere. */
export function pathExists(absolute: string): boolean {
  const exists = existsWord(absolute);
  // A link that leads nowhere is there itself, and its target may appear elsewhere.
  if (exists === 'yes' || lookAt(absolute) !== undefined || !noteMissing(absolute)) {
    noteFact('exists', { learn: existsWord, path: absolute, learned: exists });
  }
  return exists === 'yes';
}

/** A directory that changed more recently may change again without a trace: some clocks of files tick every two seconds. */
const SETTLED_MS = 3_000;

/**
 * Nothing is at a path for as long as its directory is the same one and has not changed, which is one look for all
 * that is missing there. False where the directory cannot prove that.
 */
function noteMissing(absolute: string): boolean {
  const folder = path.dirname(absolute);
  if (isNoted('folder', folder)) return true;
  const status = followTo(folder);
  if (status?.isDirectory() !== true || Date.now() - status.ctimeMs < SETTLED_MS) return false;
  noteFact('folder', { learn: folderStamp, path: folder, learned: stampOf(status) });
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
  return stampOf(lookAt(absolute));
}

function existsWord(absolute: string): string {
  return existsSync(absolute) ? 'yes' : 'no';
}

function directoryWord(absolute: string): string {
  return followTo(absolute)?.isDirectory() === true ? 'yes' : 'no';
}

function followTo(absolute: string): Stats | undefined {
  return quietly(() => statSync(absolute, { throwIfNoEntry: false }));
}

function lookAt(absolute: string): Stats | undefined {
  return quietly(() => lstatSync(absolute, { throwIfNoEntry: false }));
}

function quietly(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined; // A file where a directory would have to be, or a place that is closed to us.
  }
}
