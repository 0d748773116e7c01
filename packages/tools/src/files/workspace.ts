import { isAbsolute, relative, resolve, sep } from 'node:path';
import { resolveLinks } from './resolve-links.ts';

/** A path as the model wrote it, made absolute, and with links resolved. */
export interface WorkspacePath {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
}

/** Resolves a tool's path; null when its real path is outside every root. Without roots every path is inside. */
export async function resolveInWorkspace(
  given: string,
  workspace: { readonly cwd: string; readonly roots?: readonly string[] | undefined },
): Promise<WorkspacePath | null> {
  const absolute = resolve(workspace.cwd, given);
  const real = await resolveLinks(absolute);
  if (workspace.roots !== undefined && !(await isInsideAny(real, workspace))) return null;
  return { given, absolute, real };
}

export function accessDenied(given: string): string {
  return `Access denied: "${given}" is outside the working directory`;
}

async function isInsideAny(
  real: string,
  { cwd, roots = [] }: { readonly cwd: string; readonly roots?: readonly string[] | undefined },
): Promise<boolean> {
  const realRoots = await Promise.all(roots.map((root) => resolveLinks(resolve(cwd, root))));
  return realRoots.some((root) => contains(root, real));
}

export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
