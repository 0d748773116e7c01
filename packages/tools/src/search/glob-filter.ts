import { basename, relative, sep } from 'node:path';
import { compileGlob } from '@robota-sdk/agent-core';

/** Whether a path below `root` matches a glob; one without a slash matches names at any depth. */
export function globFilter(root: string, glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const compiled = compileGlob(glob);
  if (!glob.includes('/')) return (path) => compiled.mayMatch(basename(path));
  return (path) => compiled.mayMatch(relative(root, path).split(sep).join('/'));
}
