import path from 'node:path';
import type { PermissionLists } from '../permission.ts';
import { type ResolvedPath, realPath, resolvePath } from './resolve-path.ts';

/** The directories that count as inside, each as written and with links resolved. */
export function rootsOf(lists: PermissionLists): readonly string[] {
  const cwd = cwdOf(lists);
  const { additionalDirectories = [] } = lists;
  if (additionalDirectories.length === 0) {
    const real = realPath(cwd);
    return real === cwd ? [cwd] : [cwd, real];
  }
  const given = additionalDirectories.map((each) => resolvePath(each, cwd).literal);
  return [...new Set([cwd, ...given].flatMap((root) => [root, realPath(root)]))];
}

export function cwdOf(lists: PermissionLists): string {
  return path.resolve(lists.cwd ?? process.cwd());
}

/** Both paths must lie inside: a link in the project may lead anywhere. */
export function isInside(place: ResolvedPath, roots: readonly string[]): boolean {
  return isUnder(place.literal, roots) && isUnder(place.real, roots);
}

function isUnder(absolute: string, roots: readonly string[]): boolean {
  return roots.some((root) => absolute === root || absolute.startsWith(withSlash(root)));
}

export function withSlash(directory: string): string {
  return directory.endsWith('/') ? directory : `${directory}/`;
}
