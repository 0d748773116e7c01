import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { NEVER_SEARCHED } from './ignore-rules.ts';

/** Whether a .gitignore above or below a folder is a pipe or a device, on which ripgrep would block. */
export async function hasIgnorePipe(root: string, signal: AbortSignal): Promise<boolean> {
  for (let at = root; dirname(at) !== at; at = dirname(at)) {
    if (await isPipeOrDevice(join(at, '.gitignore'))) return true;
  }
  return hasOneBelow(root, signal);
}

async function hasOneBelow(folder: string, signal: AbortSignal): Promise<boolean> {
  if (signal.aborted) return false;
  const entries = await list(folder);
  if (entries.some(mayBePipe) && (await isPipeOrDevice(join(folder, '.gitignore')))) return true;
  for (const entry of entries) {
    if (!entry.isDirectory() || NEVER_SEARCHED.has(entry.name)) continue;
    if (await hasOneBelow(join(folder, entry.name), signal)) return true;
  }
  return false;
}

function mayBePipe(entry: Dirent): boolean {
  return entry.name === '.gitignore' && !entry.isFile() && !entry.isDirectory();
}

async function isPipeOrDevice(file: string): Promise<boolean> {
  const status = await stat(file).catch(() => undefined);
  return status !== undefined && !status.isFile() && !status.isDirectory();
}

async function list(folder: string): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}
