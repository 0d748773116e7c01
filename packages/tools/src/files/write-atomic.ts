import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import {
  chmod,
  chown,
  type FileHandle,
  lstat,
  mkdir,
  open,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { hasDescriptorPaths, openResolved, openResolvedFolder, within } from './open-resolved.ts';
import { hasCode, isMissing, resolveLinks } from './resolve-links.ts';

/** Replaces a file's content atomically: a reader sees the old or the new content, never a part. */
export async function writeAtomic(path: string, content: Uint8Array | string): Promise<void> {
  await writeResolved(await resolveLinks(path), content);
}

/** The same for a path whose links are already resolved: a link that appears meanwhile is not followed. */
export async function writeResolved(real: string, content: Uint8Array | string): Promise<void> {
  if (!hasDescriptorPaths()) {
    await mkdir(dirname(real), { recursive: true });
    await replaceIn((name) => join(dirname(real), name), real, content);
    return;
  }
  const folder = await openResolvedFolder(dirname(real), { create: true });
  try {
    await replaceIn((name) => within(folder, name), real, content);
  } finally {
    await folder.close();
  }
}

/** `place` gives paths in the one directory that all steps use. */
async function replaceIn(
  place: (name: string) => string,
  real: string,
  content: Uint8Array | string,
): Promise<void> {
  const target = place(basename(real));
  const existing = await regularStatus(target);
  const temporary = place(`.${randomUUID()}.tmp`);
  try {
    const file = await open(temporary, 'wx', 0o666);
    await fill(file, content);
    if (existing) await keepOwnership(temporary, existing);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    // The file is writable but not its folder, or it is a mount point: write in place.
    if (!existing || !isFolderProblem(error)) throw error;
    await fill(await openResolved(real, constants.O_WRONLY | constants.O_TRUNC), content);
  }
}

async function fill(file: FileHandle, content: Uint8Array | string): Promise<void> {
  try {
    await file.writeFile(content);
  } finally {
    await file.close();
  }
}

/** The file to be replaced, if it exists; a link is replaced itself, and its mode is not copied. */
async function regularStatus(path: string) {
  try {
    const status = await lstat(path);
    return status.isSymbolicLink() ? undefined : status;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

export async function statIfExists(path: string) {
  try {
    return await stat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function keepOwnership(
  path: string,
  owner: { readonly mode: number; readonly uid: number; readonly gid: number },
): Promise<void> {
  const created = await lstat(path);
  const isRoot = process.getuid?.() === 0;
  if (isRoot && (created.uid !== owner.uid || created.gid !== owner.gid)) {
    await chown(path, owner.uid, owner.gid);
  }
  await chmod(path, owner.mode & 0o7777);
}

function isFolderProblem(error: unknown): boolean {
  return ['EACCES', 'EPERM', 'EBUSY', 'EXDEV'].some((code) => hasCode(error, code));
}
