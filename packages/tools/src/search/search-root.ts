import { constants } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { SNIFF_BYTES } from '../files/file-kind.ts';
import { isMissing } from '../files/real-path.ts';

export type SearchRootKind = 'folder' | 'file' | 'binary' | 'special' | 'missing';

/** What a search was pointed at. Special are pipes and devices, which could be read for ever. */
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
