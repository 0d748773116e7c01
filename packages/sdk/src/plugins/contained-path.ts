import { realpathSync } from 'node:fs';
import { lstat, readdir } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';

/** The real path of something inside `root`; throws when it does not exist or is outside. */
export function containedPath(root: string, path: string): string {
  const base = realpathSync(root);
  const real = realPathOf(resolve(base, path), path, root);
  if (real === base || real.startsWith(base + sep)) return real;
  throw new Error(`"${path}" leads out of ${root}`);
}

function realPathOf(path: string, written: string, root: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    throw new Error(`"${written}" does not exist in ${root}`, { cause: error });
  }
}

/** Rejects a folder with a link that leaves it. */
export async function assertSelfContained(root: string, folder = root): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await lstat(path);
    if (found.isSymbolicLink()) containedPath(root, path);
    else if (found.isDirectory() && name !== '.git') await assertSelfContained(root, path);
  }
}
