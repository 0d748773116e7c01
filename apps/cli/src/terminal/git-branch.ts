import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The branch checked out in a directory, read from git's own files: starting git would cost more than the first paint. */
export async function gitBranch(directory: string): Promise<string | undefined> {
  const head = await readHead(directory);
  if (head === undefined) return undefined;
  return /^ref: refs\/heads\/(.+)$/.exec(head)?.[1] ?? head.slice(0, 8);
}

async function readHead(directory: string): Promise<string | undefined> {
  for (let folder = resolve(directory); ; folder = dirname(folder)) {
    const gitPath = join(folder, '.git');
    const found = await stat(gitPath).catch(() => undefined);
    if (found) {
      const gitFolder = found.isDirectory() ? gitPath : await linkedFolder(gitPath);
      return (await readFile(join(gitFolder, 'HEAD'), 'utf8').catch(() => '')).trim() || undefined;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** A worktree has a file that says where its git folder is. */
async function linkedFolder(path: string): Promise<string> {
  const text = await readFile(path, 'utf8');
  return resolve(dirname(path), text.replace(/^gitdir:\s*/, '').trim());
}
