import { closeSync, constants, fstatSync, openSync } from 'node:fs';

/**
 * Opens a file for `work`; undefined for a folder, a pipe or a device, whose other end is not waited for. Fails where the
 * system refuses to open it.
 */
export function withRegularFile<Result>(
  path: string,
  flags: number,
  work: (file: number) => Result,
): Result | undefined {
  const file = openSync(path, flags | constants.O_NONBLOCK, 0o600);
  try {
    return fstatSync(file).isFile() ? work(file) : undefined;
  } finally {
    closeSync(file);
  }
}
