import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isFileMissing } from './file-missing.ts';

// Opening a pipe waits for a writer, unless told not to; Windows has no such flag.
const READ_WITHOUT_WAITING = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * The file opened for reading; `undefined` when there is none. A pipe or a device counts as none, and opening it never
 * waits; a folder is an error.
 */
export async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    const file = await open(path, READ_WITHOUT_WAITING);
    const status = await file.stat();
    if (status.isFile()) return file;
    await file.close();
    if (status.isDirectory()) throw new Error('EISDIR: it is a folder');
    return undefined;
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot read transcript ${path}`, { cause: error });
  }
}

/** As `openExisting`, synchronously: a descriptor that the caller closes. */
export function openExistingNow(path: string): number | undefined {
  try {
    const file = openSync(path, READ_WITHOUT_WAITING);
    const status = fstatSync(file);
    if (status.isFile()) return file;
    closeSync(file);
    if (status.isDirectory()) throw new Error('EISDIR: it is a folder');
    return undefined;
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot read transcript ${path}`, { cause: error });
  }
}

/** The text of a file; `undefined` when there is none. */
export async function readExisting(path: string): Promise<string | undefined> {
  const file = await openExisting(path);
  if (file === undefined) return undefined;
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** As `readExisting`, synchronously. */
export function readExistingNow(path: string): string | undefined {
  const file = openExistingNow(path);
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
