import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isMissing } from './resolve-links.ts';
import { contains } from './workspace.ts';

const MAX_BYTES = 1_000_000;

/** Limits on the file to read. */
export interface PlainFileOptions {
  /** The real path must lie in this folder; for files of an untrusted project. */
  readonly within?: string | undefined;
  /** Larger files are refused (default 1 MB). */
  readonly mostBytes?: number | undefined;
}

/** A file's text, or why it was not read. */
export type PlainFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** Why it was not read, for a notice. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads a settings or instruction file: a regular file of moderate size, never a pipe or a device. */
export function readPlainFile(file: string, options: PlainFileOptions = {}): PlainFile {
  const real = tryRealPath(file);
  if (real === undefined) return { kind: 'missing' };
  const { within, mostBytes = MAX_BYTES } = options;
  if (within !== undefined && !contains(tryRealPath(within) ?? within, real))
    return { kind: 'refused', reason: `${file} leads out of ${within}` };
  let descriptor: number | undefined;
  try {
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const status = fstatSync(descriptor);
    if (!status.isFile()) return { kind: 'refused', reason: `${file} is not a regular file` };
    if (status.size > mostBytes)
      return { kind: 'refused', reason: `${file} has more than ${mostBytes} bytes` };
    return { kind: 'text', text: readFileSync(descriptor, 'utf8') };
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing' };
    return { kind: 'refused', reason: `${file} cannot be read: ${messageOf(error)}` };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // Missing, or a dangling link.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
