import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { SNIFF_BYTES } from '../files/file-kind.ts';
import { isMissing } from '../files/resolve-links.ts';

export type SearchRootKind = 'folder' | 'file' | 'binary' | 'special' | 'missing';

/** The kind of path to search; `special` is a pipe or a device, which could be read forever. */
export async function searchRootKind(path: string): Promise<SearchRootKind> {
  try {
    const status = await stat(path);
    if (status.isDirectory()) return 'folder';
    if (!status.isFile()) return 'special';
    return (await startsBinary(path)) ? 'binary' : 'file';
  } catch (error) {
    if (isMissing(error)) return 'missing';
    throw error;
  }
}

async function startsBinary(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(SNIFF_BYTES), 0, SNIFF_BYTES, 0);
    return buffer.subarray(0, bytesRead).includes(0);
  } finally {
    await file.close();
  }
}
