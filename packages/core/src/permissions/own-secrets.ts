import { homedir } from 'node:os';
import path from 'node:path';
import { containsMatch } from './paths/matching-names.ts';
import { realPath } from './paths/resolve-path.ts';
import { withSlash } from './paths/roots.ts';

/** Whether a file in Robota's home holds secrets; no tool reads it, in any mode and under any rule. */
export function isOwnSecret(absolute: string): boolean {
  const name = path.basename(absolute);
  if (!SECRET_NAME.test(name)) return false;
  const home = ownHome();
  return [home, realPath(home)].some((each) => absolute.startsWith(withSlash(each)));
}

function ownHome(): string {
  const { ROBOTA_HOME, HOME } = process.env;
  return path.resolve(ROBOTA_HOME || path.join(HOME || homedir(), '.robota'));
}

/** Whether reading a directory recursively would read such a file: it lies in Robota's home, or above it. */
export function secretsUnder(
  directory: string,
  seesHidden: boolean,
): 'inside' | 'beneath' | undefined {
  const home = realPath(ownHome());
  const place = realPath(directory);
  if (place === home || place.startsWith(withSlash(home)))
    return containsMatch(place, isOwnSecret) ? 'inside' : undefined;
  if (!home.startsWith(withSlash(place))) return undefined;
  const hidden = path
    .relative(place, home)
    .split(path.sep)
    .some((step) => step.startsWith('.'));
  return (seesHidden || !hidden) && containsMatch(home, isOwnSecret) ? 'beneath' : undefined;
}

/** Session vaults, the server token, and copies of both left by an interrupted write. */
const SECRET_NAME = /\.vault(?:\.|$)|^\.?server-token(?:\.|$)|^\.?credentials(?:\.|$)/i;

/** A cheap filter, so that not every word of every command is resolved. */
export function mayNameSecret(text: string | undefined): boolean {
  return text !== undefined && /vault|token|credential|robota|[*?[]/i.test(text);
}

/**
 * Whether a command mentions such a file in a place that is not resolved: in a script, behind a variable or a
 * substitution, in the input of another program.
 */
export function mentionsSecret(command: string): boolean {
  const home = ownHome();
  const folder = path.basename(home);
  if (!command.includes(`${folder}/`)) return false;
  const rest = String.raw`/${escapePattern(folder)}/([^\s'"\x60;|&<>()]*)`;
  const named = [...command.matchAll(new RegExp(rest, 'g'))];
  if (named.some(([, name = '']) => SECRET_NAME.test(path.basename(name)))) return true;
  const above = [home, realPath(home)].map((each) => escapePattern(path.dirname(each)));
  const start = String.raw`(?:~\+?|\$\{?HOME\}?|\.\.|[)}\x60]|${above.join('|')})["']*`;
  const listed = [...command.matchAll(new RegExp(start + rest, 'g'))];
  return listed.some(([, name = '']) => /[*?[]/.test(name));
}

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

export const SECRET_MENTIONED_REASON = 'it mentions vaults or tokens of this program';
export const SECRETS_BENEATH_REASON =
  'it reads a whole directory with vaults and tokens of this program beneath it';
export const OWN_SECRET_REASON = 'it holds secrets of this program, which no tool may read';
