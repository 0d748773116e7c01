import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { isMissing } from './real-path.ts';
import { contains } from './workspace.ts';

const MOST_BYTES = 1_000_000;

/** What reading a file may be told. */
export interface PlainFileOptions {
  /** The file must really lie in this folder, links followed: for what an untrusted project brings along. */
  readonly within?: string | undefined;
  /** Larger files are refused (default 1 MB). */
  readonly mostBytes?: number | undefined;
}

/** A file that was read, or why it was not. */
export type PlainFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  /** Why it was not read, for a notice. */
  | { readonly kind: 'refused'; readonly reason: string };

/** Reads a settings or instruction file: a regular one of moderate size, never a pipe or a device. */
export function readPlainFile(file: string, options: PlainFileOptions = {}): PlainFile {
  const real = resolveQuietly(file);
  if (real === undefined) return { kind: 'missing' };
  const { within, mostBytes = MOST_BYTES } = options;
  if (within !== undefined && !contains(resolveQuietly(within) ?? within, real))
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

function resolveQuietly(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined; // Not there, or a link that leads nowhere.
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
