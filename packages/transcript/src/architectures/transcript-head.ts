import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonRecord } from '../json-record.ts';
import { parseLine } from '../parse-line.ts';
import { openExisting } from './existing-file.ts';
import { isFileMissing } from './file-missing.ts';

/** Enough for the first prompt of nearly every session. */
const HEAD_BYTES = 1 << 16;

export interface TranscriptHead {
  readonly records: readonly JsonRecord[];
  readonly text: string;
  /** Milliseconds since 1970. */
  readonly updatedAt: number;
}

/** The valid records at the start of a file; `undefined` if it cannot be read. */
export async function readHead(path: string): Promise<TranscriptHead | undefined> {
  try {
    const file = await openExisting(path);
    if (file === undefined) return undefined;
    try {
      const { mtimeMs } = await file.stat();
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      const text = head.toString('utf8', 0, bytesRead);
      const records = text
        .split('\n')
        .map(parseLine)
        .filter((record) => typeof record === 'object');
      return { records, text, updatedAt: mtimeMs };
    } finally {
      await file.close();
    }
  } catch {
    // A transcript that disappeared or cannot be read is not listed.
    return undefined;
  }
}

/** Sorted names in a folder; empty if it does not exist. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if (isFileMissing(error) || isForbidden(error)) return [];
    throw new Error(`Cannot list ${folder}`, { cause: error });
  }
}

/** Folders in a folder, by path. */
export async function foldersIn(folder: string): Promise<string[]> {
  const paths = (await namesIn(folder)).map((name) => join(folder, name));
  const kinds = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)));
  return paths.filter((_, index) => kinds[index]?.isDirectory() === true);
}

function isForbidden(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EACCES';
}
