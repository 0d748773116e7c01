import { constants, readFile, stat } from 'node:fs/promises';
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
      return (await readSmallFile(join(gitFolder, 'HEAD'))).trim() || undefined;
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** A worktree has a file that says where its git folder is. */
async function linkedFolder(path: string): Promise<string> {
  const text = await readSmallFile(path);
  return resolve(dirname(path), text.replace(/^gitdir:\s*/, '').trim());
}

const MOST_BYTES = 4_096;

/** Empty for what is no small file: a pipe or a device that a repository put there is never waited for. */
async function readSmallFile(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MOST_BYTES) return '';
    const flag = constants.O_RDONLY | constants.O_NONBLOCK;
    return await readFile(path, { encoding: 'utf8', flag });
  } catch {
    return '';
  }
}
