import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describeSaveFailure, robotaHome } from '@robota-sdk/agent-sdk';

/** The token of this machine's servers. */
export interface ServerToken {
  readonly token: string;
  /** True when it was made just now; only then is it shown. */
  readonly isNew: boolean;
  readonly path: string;
}

/** Reads the token, or makes it at the first start, readable for its owner only. */
export function loadServerToken(path: string = join(robotaHome(), 'server-token')): ServerToken {
  return readToken(path) ?? makeToken(path);
}

function readToken(path: string): ServerToken | undefined {
  try {
    const token = readFileSync(path, 'utf8').trim();
    if (token.length < 32) {
      throw new Error(
        `The server token in ${path} is too short; delete the file to get a new one.`,
      );
    }
    chmodSync(path, 0o600);
    return { token, isNew: false, path };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function makeToken(path: string): ServerToken {
  const token = randomBytes(32).toString('base64url');
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${token}\n`, { mode: 0o600 });
    // Whole or not at all; two servers that start at once agree on the token of the one that was first.
    linkSync(draft, path);
    return { token, isNew: true, path };
  } catch (error) {
    const other = readToken(path);
    if (other) return other;
    const reason = describeSaveFailure(error);
    throw new Error(`Cannot write the server token to ${path}: ${reason}`, { cause: error });
  } finally {
    if (existsSync(draft)) rmSync(draft);
  }
}
