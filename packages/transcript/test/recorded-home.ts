import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const fixtures = join(import.meta.dirname, 'fixtures');

/** Copies every recording of every agent into one home, as if all had run on one machine. */
export function fillRecordedHome(home: string): void {
  for (const { folder, name } of homesBelow(join(fixtures, 'claude'))) {
    copy(folder, join(home, '.claude/projects', name));
  }
  for (const { folder } of homesBelow(join(fixtures, 'codex'))) {
    copy(join(folder, 'sessions'), join(home, '.codex/sessions'));
  }
  for (const { folder, name } of homesBelow(join(fixtures, 'gemini'))) {
    copy(folder, join(home, '.gemini/tmp', name));
  }
}

function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  cpSync(from, to, { recursive: true });
}

/** Folders named `home…`, with a unique name each. */
function homesBelow(
  root: string,
  prefix = '',
): { readonly folder: string; readonly name: string }[] {
  return readdirSync(root, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return [];
    const folder = join(root, entry.name);
    const name = `${prefix}${entry.name}`;
    return entry.name.startsWith('home') ? [{ folder, name }] : homesBelow(folder, `${name}-`);
  });
}
