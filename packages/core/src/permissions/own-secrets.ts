import { homedir } from 'node:os';
import path from 'node:path';
import { realPath } from './paths/resolve-path.ts';

/** Whether a file of our own home holds secrets: no tool reads it, in any mode and under any rule. */
export function isOwnSecret(absolute: string): boolean {
  const name = path.basename(absolute);
  if (!SECRET_NAME.test(name)) return false;
  const home = process.env.ROBOTA_HOME || path.join(process.env.HOME || homedir(), '.robota');
  return [home, realPath(home)].some((each) =>
    absolute.startsWith(`${path.resolve(each)}${path.sep}`),
  );
}

/** Vaults of sessions, the token of the server, and copies of both that an interrupted write leaves. */
const SECRET_NAME = /\.vault(?:\.|$)|^\.?server-token(?:\.|$)|^\.?credentials(?:\.|$)/i;

/** A quick look that spares resolving every word of every command. */
export function mayNameSecret(text: string | undefined): boolean {
  return text !== undefined && /vault|token|credential|robota|[*?[]/i.test(text);
}

export const OWN_SECRET_REASON = 'it holds secrets of this program, which no tool may read';
