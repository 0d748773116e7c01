// Says whether what is built is older than what it is built from.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

export const BUILD_MARKER = 'node_modules/.built.json';

/** Newest change of any source or build input, in milliseconds since the epoch. */
export function newestSource(root) {
  const folders = ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(root, parent)).map((name) => join(root, parent, name)),
  );
  const inputs = folders.flatMap((folder) => [
    newestIn(join(folder, 'src')),
    newestIn(join(folder, 'public')),
    modified(join(folder, 'index.html')),
    modified(join(folder, 'build.mjs')),
    modified(join(folder, 'package.json')),
    modified(join(folder, 'tsconfig.json')),
  ]);
  return Math.max(
    ...inputs,
    newestIn(join(root, 'tools')),
    modified(join(root, 'tsconfig.base.json')),
  );
}

export function isBuildStale(root) {
  const marker = join(root, BUILD_MARKER);
  if (!existsSync(marker)) return true;
  const { newest, outputs } = JSON.parse(readFileSync(marker, 'utf8'));
  return newest < newestSource(root) || outputs.some((path) => !existsSync(join(root, path)));
}

function newestIn(folder) {
  if (!existsSync(folder)) return 0;
  const entries = readdirSync(folder, { withFileTypes: true });
  const times = entries.map((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? newestIn(path) : modified(path);
  });
  return Math.max(modified(folder), ...times);
}

function modified(path) {
  return existsSync(path) ? statSync(path).mtimeMs : 0;
}
