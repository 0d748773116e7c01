import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { realFolder } from './workspace-mounts.ts';

/**
 * Robota's home, which holds vaults and tokens and is hidden from confined commands, wherever the project lies;
 * undefined when it does not exist yet or is the project itself.
 */
export function hiddenHome(roots: readonly string[]): string | undefined {
  const { ROBOTA_HOME, HOME } = process.env;
  const home = ROBOTA_HOME || join(HOME || homedir(), '.robota');
  if (!existsSync(home)) return undefined;
  const place = realFolder(home);
  return roots.some((root) => realFolder(root) === place) ? undefined : place;
}

/** The same for Seatbelt, where later rules win over earlier ones. */
export function hiddenHomeRules(
  roots: readonly string[],
  quoted: (text: string) => string,
): string {
  const home = hiddenHome(roots);
  if (home === undefined) return '';
  const inside = roots.map(realFolder).filter((root) => root.startsWith(`${home}/`));
  const shown = inside.map((root) => `(allow file-read* (subpath ${quoted(root)}))`).join('');
  return `(deny file-read* (subpath ${quoted(home)}))${shown}`;
}
