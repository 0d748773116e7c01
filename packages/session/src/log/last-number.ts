import { closeSync, fstatSync, readSync } from 'node:fs';
import { openRegularFile } from '../regular-file.ts';
import { isFileMissing } from '../session-error.ts';

const CHUNK_BYTES = 64 * 1024;
/** Maximum bytes to search for a numbered line; lines with entries are far shorter. */
const MAX_BYTES = 1024 * 1024;
/** A longer number means a damaged line; counting on from it would make every later line unreadable. */
const NUMBERED = /^\{"n":(\d{1,15}),"t":/;

/**
 * An upper bound for the entry numbers of a log, found at its end; 0 when there is no log. If the end has no numbered
 * line, the file size serves, since every entry takes more than a byte.
 */
export function lastNumber(path: string): number {
  let descriptor: number;
  try {
    descriptor = openRegularFile(path, 'read');
  } catch (error) {
    if (isFileMissing(error)) return 0;
    throw error;
  }
  try {
    return scanBackwards(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function scanBackwards(descriptor: number): number {
  const { size } = fstatSync(descriptor);
  for (let taken = CHUNK_BYTES; ; taken *= 4) {
    const length = Math.min(taken, size);
    const bytes = Buffer.alloc(length);
    readSync(descriptor, bytes, 0, length, size - length);
    const lines = bytes.toString('latin1').split('\n');
    // The first part starts inside a line, unless it is the start of the file.
    for (const line of (length === size ? lines : lines.slice(1)).reverse()) {
      const number = NUMBERED.exec(line)?.[1];
      if (number !== undefined) return Number(number);
    }
    if (length === size || taken >= MAX_BYTES) return size;
  }
}
