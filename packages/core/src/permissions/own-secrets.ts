import { homedir } from 'node:os';
import path from 'node:path';
import { holdsCaught } from './paths/matching-names.ts';
import { realPath } from './paths/resolve-path.ts';
import { withSlash } from './paths/roots.ts';

/** Whether a file of our own home holds secrets: no tool reads it, in any mode and under any rule. */
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

/** Whether reading all of a directory would read such a file: it is in our home, or our home is beneath it. */
export function secretsUnder(
  directory: string,
  seesHidden: boolean,
): 'inside' | 'beneath' | undefined {
  const home = realPath(ownHome());
  const place = realPath(directory);
  if (place === home || place.startsWith(withSlash(home)))
    return holdsCaught(place, isOwnSecret) ? 'inside' : undefined;
  if (!home.startsWith(withSlash(place))) return undefined;
  const hidden = path
    .relative(place, home)
    .split(path.sep)
    .some((step) => step.startsWith('.'));
  return (seesHidden || !hidden) && holdsCaught(home, isOwnSecret) ? 'beneath' : undefined;
}

/** Vaults of sessions, the token of the server, and copies of both that an interrupted write leaves. */
const SECRET_NAME = /\.vault(?:\.|$)|^\.?server-token(?:\.|$)|^\.?credentials(?:\.|$)/i;

/** A quick look that spares resolving every word of every command. */
export function mayNameSecret(text: string | undefined): boolean {
  return text !== undefined && /vault|token|credential|robota|[*?[]/i.test(text);
}

export const SECRETS_BENEATH_REASON =
  'it reads a whole directory with vaults and tokens of this program beneath it';
export const OWN_SECRET_REASON = 'it holds secrets of this program, which no tool may read';
