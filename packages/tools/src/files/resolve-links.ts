import { lstat, readlink, realpath } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';

const MAX_LINKS = 40;

/** The real path with links resolved, even when its last parts do not exist yet. */
export async function resolveLinks(path: string, linksLeft = MAX_LINKS): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (!isMissing(error)) return path;
  }
  const target = await readLinkTarget(path);
  if (target !== undefined && linksLeft > 0) return resolveLinks(target, linksLeft - 1);
  const parent = dirname(path);
  return parent === path ? path : join(await resolveLinks(parent, linksLeft), basename(path));
}

export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR');
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** Undefined when the path is not a symlink. */
async function readLinkTarget(path: string): Promise<string | undefined> {
  try {
    const status = await lstat(path);
    return status.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : undefined;
  } catch (error) {
    // EINVAL: the link was replaced by something else meanwhile.
    if (isMissing(error) || hasCode(error, 'EINVAL')) return undefined;
    throw error;
  }
}
