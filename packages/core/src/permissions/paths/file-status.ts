import { lstatSync, type Stats, statSync } from 'node:fs';

/** What stands at a path, links not followed; undefined where nothing does or we may not look. */
export function entryStatus(absolute: string): Stats | undefined {
  return quietly(() => lstatSync(absolute, { throwIfNoEntry: false }));
}

/** Whether a path leads to a directory. */
export function leadsToDirectory(absolute: string): boolean {
  return quietly(() => statSync(absolute, { throwIfNoEntry: false }))?.isDirectory() === true;
}

function quietly(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch {
    return undefined; // A file where a directory would have to be, or a place that is closed to us.
  }
}
