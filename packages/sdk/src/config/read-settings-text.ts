import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { isAbsolute, relative } from 'node:path';

/** Limit for hand-written files; a larger one is a mistake or an attack. */
const MAX_BYTES = 1024 * 1024;

export interface RegularFileBounds {
  /** Links may not leave this directory; not set for the user's own files. */
  readonly root?: string | undefined;
  readonly maxBytes?: number | undefined;
}

/** Why an existing file is not read. */
export interface UnreadableFile {
  readonly problem: string;
}

/**
 * The text of a regular file; null when there is none. Links are followed only inside `root`, and opening a pipe or
 * a device never blocks.
 */
export function readSettingsText(
  file: string,
  bounds: RegularFileBounds = {},
): string | UnreadableFile | null {
  try {
    // Most of the files that are looked for are not there, and an exception costs more than the question.
    if (statSync(file, { throwIfNoEntry: false }) === undefined) return null;
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
