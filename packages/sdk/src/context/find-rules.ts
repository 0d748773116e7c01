import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Maximum nesting of folders. */
const MAX_DEPTH = 4;

/** The Markdown files of a `.claude/rules` folder, sorted by path; empty when it cannot be listed. */
export function findRules(folder: string, depth = 0): string[] {
  return entriesOf(folder)
    .toSorted((left, right) => (left.name < right.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.name.endsWith('.md')) return [path];
      return entry.isDirectory() && depth < MAX_DEPTH ? findRules(path, depth + 1) : [];
    });
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // Most projects have no rules, and one that cannot be listed must not stop the session.
  }
}
