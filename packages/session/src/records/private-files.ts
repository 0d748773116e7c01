import { randomBytes } from 'node:crypto';
import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { textOf } from '../log/log-lines.ts';
import { cannotRead, readRegularFile } from '../regular-file.ts';
import { isFileMissing } from '../session-error.ts';

/** Directory of all user data; read on each call, so that tests and users can change it. */
export function robotaHome(): string {
  return process.env.ROBOTA_HOME || join(process.env.HOME || homedir(), '.robota');
}

export function makePrivateDirectory(directory: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
}

/** For use before a write that reports its own failure. */
export function tryMakePrivateDirectory(directory: string): void {
  try {
    makePrivateDirectory(directory);
  } catch {
    // The following write fails for the same reason and reports it.
  }
}

/** Atomic: readers see the old file or the new one, never a part. */
export function writeWhole(path: string, text: string): void {
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new Error(`Cannot write ${path}`, { cause: error });
  }
}

export function readIfPresent(path: string): string | undefined {
  try {
    return textOf(readRegularFile(path));
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw cannotRead(path, error);
  }
}

/** Changes whenever a file does; empty when there is none. */
export function fileStamp(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : '';
}
