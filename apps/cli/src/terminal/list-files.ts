import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { programEnvironment } from '../program-environment.ts';

/** More paths than this help nobody to find one. */
const MOST_FILES = 20_000;
const SKIPPED = new Set(['.git', 'node_modules', 'dist', '.venv', 'target']);

/** Paths below a directory for `@` completion: what git knows, or a walk where there is no git. */
export async function listFiles(directory: string): Promise<string[]> {
  return (await listByGit(directory)) ?? (await walk(directory));
}

function listByGit(directory: string): Promise<string[] | undefined> {
  // A repository that nobody trusts may name a program here, which git would start to list files.
  const unwatched = ['-c', 'core.fsmonitor=false'];
  const args = [...unwatched, 'ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return new Promise((resolve) => {
    const options = { cwd: directory, env: programEnvironment(), maxBuffer: 64 << 20 };
    execFile('git', args, options, (error, stdout) => {
      resolve(error ? undefined : stdout.split('\0').filter(Boolean).slice(0, MOST_FILES));
    });
  });
}

async function walk(root: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [''];
  while (pending.length > 0 && found.length < MOST_FILES) {
    const folder = pending.shift() ?? '';
    // A folder that cannot be read offers nothing to complete.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) pending.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.slice(0, MOST_FILES);
}
