import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Replaces a small file atomically, so that a reader after a crash sees the old or the new content. */
export function writeDurably(path: string, text: string, { sync = false } = {}): void {
  const draft = `${path}.tmp`;
  const descriptor = openSync(draft, 'w', 0o600);
  try {
    writeSync(descriptor, text);
    if (sync) fsyncSync(descriptor);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, path);
}
