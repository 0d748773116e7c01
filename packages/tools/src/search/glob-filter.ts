import { basename, relative, sep } from 'node:path';
import picomatch from 'picomatch';

/** Whether a path below `root` passes a glob. One without a slash is about names at any depth. */
export function globFilter(root: string, glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true;
  const matches = picomatch(glob.replace(/^\.\//, ''), { dot: true });
  if (!glob.includes('/')) return (path) => matches(basename(path));
  return (path) => matches(relative(root, path).split(sep).join('/'));
}
