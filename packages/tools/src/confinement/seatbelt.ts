import { tmpdir } from 'node:os';
import type { ConfinedCommand, Confinement } from './confinement.ts';
import { hiddenHomeRules } from './hidden-home.ts';
import { realFolder } from './workspace-mounts.ts';

export const SEATBELT_PLACE = '/usr/bin/sandbox-exec';

/** macOS: a profile that allows everything except writes and the network. */
export const seatbelt: Confinement = {
  name: 'seatbelt',
  start: (command) => ({
    file: SEATBELT_PLACE,
    args: ['-p', seatbeltProfile(command), command.shell, '-c', command.command],
    descriptors: [],
    started: () => undefined,
    ended: () => undefined,
  }),
};

/** Later rules win: files from which git and agents start programs stay read-only inside the project. */
export function seatbeltProfile({ kind, roots }: Pick<ConfinedCommand, 'kind' | 'roots'>): string {
  const profile = `(version 1)(allow default)(deny file-write*)(deny network*)(allow file-write* (literal "/dev/null"))${hiddenHomeRules(roots, quoted)}`;
  if (kind === 'read-only') return profile;
  const writable = [...roots, tmpdir(), '/private/tmp'].map(
    (root) => `(subpath ${quoted(realFolder(root))})`,
  );
  const closed = roots.flatMap((root) =>
    [
      '.git/config',
      '.git/hooks',
      '.robota',
      '.claude',
      '.codex',
      '.gemini',
      '.husky',
      '.vscode',
      '.mcp.json',
      '.envrc',
    ].map((name) => `(subpath ${quoted(`${realFolder(root)}/${name}`)})`),
  );
  return `${profile}(allow file-write* ${writable.join('')})(deny file-write* ${closed.join('')})`;
}

function quoted(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
