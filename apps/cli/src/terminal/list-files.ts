import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { programEnvironment } from '../program-environment.ts';

/** Upper limit of paths offered for completion. */
const MAX_FILES = 20_000;
const SKIPPED = new Set(['.git', 'node_modules', 'dist', '.venv', 'target']);

/** Paths below a directory for `@` completion: from git, or by walking the tree outside a repository. */
export async function listFiles(directory: string): Promise<string[]> {
  return (await listByGit(directory)) ?? (await walk(directory));
}

function listByGit(directory: string): Promise<string[] | undefined> {
  // An untrusted repository may configure a program here, which git would run to list files.
  const unwatched = ['-c', 'core.fsmonitor=false'];
  const args = [...unwatched, 'ls-files', '--cached', '--others', '--exclude-standard', '-z'];
  return new Promise((resolve) => {
    const options = { cwd: directory, env: programEnvironment(), maxBuffer: 64 << 20 };
    execFile('git', args, options, (error, stdout) => {
      resolve(error ? undefined : stdout.split('\0').filter(Boolean).slice(0, MAX_FILES));
    });
  });
}

async function walk(root: string): Promise<string[]> {
  const found: string[] = [];
  const pending = [''];
  while (pending.length > 0 && found.length < MAX_FILES) {
    const folder = pending.shift() ?? '';
    // An unreadable folder contributes no paths.
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) pending.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.slice(0, MAX_FILES);
}
