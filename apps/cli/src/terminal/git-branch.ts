import { constants, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

/** The branch checked out in a directory, read from git's files: starting git would take longer than the first paint. */
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

/** In a worktree, `.git` is a file with the path of the real git folder. */
async function linkedFolder(path: string): Promise<string> {
  const text = await readSmallFile(path);
  return resolve(dirname(path), text.replace(/^gitdir:\s*/, '').trim());
}

const MAX_BYTES = 4_096;

/** Empty for anything but a small regular file, so that a pipe or device in a repository cannot block. */
async function readSmallFile(path: string): Promise<string> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > MAX_BYTES) return '';
    const flag = constants.O_RDONLY | constants.O_NONBLOCK;
    return await readFile(path, { encoding: 'utf8', flag });
  } catch {
    return '';
  }
}
