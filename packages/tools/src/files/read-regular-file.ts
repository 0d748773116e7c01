import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { NotAFileError } from './not-a-file-error.ts';

/** The bytes of a regular file; a pipe or a device is refused without blocking. */
export async function readRegularFile(path: string): Promise<Uint8Array> {
  // Without O_NONBLOCK, opening a pipe without a writer would block.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = await file.stat();
    if (!status.isFile()) throw new NotAFileError(path);
    return await file.readFile();
  } finally {
    await file.close();
  }
}
