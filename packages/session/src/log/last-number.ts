import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { isFileMissing } from '../session-error.ts';

const CHUNK_BYTES = 64 * 1024;
/** How far back a numbered line is looked for; entries are written in lines far shorter than this. */
const MOST_BYTES = 1024 * 1024;
const NUMBERED = /^\{"n":(\d+),"t":/;

/**
 * A number that no entry of a log exceeds, from its end alone: 0 where there is no log. Where the end holds no
 * numbered line, the size of the file serves, since every entry takes more than a byte.
 */
export function lastNumber(path: string): number {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'r');
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
    // The first piece is the middle of a line, unless it is the beginning of the file.
    for (const line of (length === size ? lines : lines.slice(1)).reverse()) {
      const number = NUMBERED.exec(line)?.[1];
      if (number !== undefined) return Number(number);
    }
    if (length === size || taken >= MOST_BYTES) return size;
  }
}
