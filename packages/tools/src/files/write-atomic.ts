import { randomUUID } from 'node:crypto';
import { chmod, chown, lstat, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode, isMissing, realPath } from './real-path.ts';

/** Replaces a file's content in one step: a reader sees the old or the new content, never a part. */
export async function writeAtomic(path: string, content: Uint8Array | string): Promise<void> {
  const target = await realPath(path);
  const existing = await statIfThere(target);
  await mkdir(dirname(target), { recursive: true });
  const temporary = join(dirname(target), `.${randomUUID()}.tmp`);
  try {
    await writeNew(temporary, content);
    if (existing) await keepOwnership(temporary, existing);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The file may be written but its folder not, or it is a mount point: writing in place is what is left.
    if (!existing || !isFolderProblem(error)) throw error;
    await writeFile(target, content);
  }
}

export async function statIfThere(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function writeNew(path: string, content: Uint8Array | string): Promise<void> {
  const file = await open(path, 'wx', 0o666);
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

async function keepOwnership(
  path: string,
  owner: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> {
  const mine = await lstat(path);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && (mine.uid !== owner.uid || mine.gid !== owner.gid)) {
    await chown(path, owner.uid, owner.gid);
  }
  await chmod(path, owner.mode & 0o7777);
}

function isFolderProblem(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EBUSY', 'EXDEV'].some((code) => hasCode(error, code));
}
