import { isAbsolute, relative, resolve, sep } from 'node:path';
import { realPath } from './real-path.ts';

/** A path that may be used: as the model wrote it, absolute, and where it really leads. */
export interface WorkspacePath {
  readonly given: string;
  readonly absolute: string;
  readonly real: string;
}

/** Resolves a tool's path; null when it really leads outside every root. Without roots all paths are inside. */
export async function resolveInWorkspace(
  given: string,
  workspace: { readonly cwd: string; readonly roots?: readonly string[] | undefined },
): Promise<WorkspacePath | null> {
  const absolute = resolve(workspace.cwd, given);
  const real = await realPath(absolute);
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
  const realRoots = await Promise.all(roots.map((root) => realPath(resolve(cwd, root))));
  return realRoots.some((root) => contains(root, real));
}

export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
