import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Bytes of a file that people write by hand; a larger one is a mistake or an attack. */
const MAX_BYTES = 1024 * 1024;

export interface RegularFileBounds {
  /** Nothing from outside this directory is read, whatever links say; a user's own files have no such bound. */
  readonly root?: string | undefined;
  readonly maxBytes?: number | undefined;
}

/** Why a file that is there is not read. */
export interface UnreadableFile {
  readonly problem: string;
}

/**
 * The text of a regular file, null when there is none. Links are followed only inside `root`, and a pipe or a
 * device is never waited for.
 */
export function readRegularFile(
  file: string,
  bounds: RegularFileBounds = {},
): string | UnreadableFile | null {
  try {
    const real = realpathSync(file);
    if (bounds.root !== undefined && !isWithin(realpathSync(bounds.root), real)) {
      return { problem: `is a link that leads out of ${bounds.root}` };
    }
    return readOpened(real, bounds.maxBytes ?? MAX_BYTES);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    return { problem: `cannot be read (${code ?? String(error)})` };
  }
}

export function isWithin(root: string, target: string): boolean {
  const path = relative(root, target);
  return path === '' || (!/^\.\.(?:[/\\]|$)/.test(path) && !isAbsolute(path));
}

function readOpened(real: string, maxBytes: number): string | UnreadableFile {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  const descriptor = openSync(real, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const found = fstatSync(descriptor);
    if (found.isDirectory()) return { problem: 'cannot be read (EISDIR)' };
    if (!found.isFile()) return { problem: 'is not a regular file' };
    if (found.size > maxBytes) {
      const kilobytes = Math.ceil(found.size / 1024).toLocaleString('en-US');
      return { problem: `has ${kilobytes} KB; up to ${maxBytes / 1024} KB are read` };
    }
    return readFileSync(descriptor, 'utf8').replace(/^\uFEFF/, '');
  } finally {
    closeSync(descriptor);
  }
}
