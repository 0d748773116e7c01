import { type FileHandle, open } from 'node:fs/promises';
import { isFileMissing } from './file-missing.ts';

/** The file opened for reading; `undefined` when there is none. */
export async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path);
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw new Error(`Cannot open transcript ${path}`, { cause: error });
  }
}
