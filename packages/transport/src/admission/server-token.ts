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
  /** True when it was just created; only then is it printed. */
  readonly isNew: boolean;
  readonly path: string;
}

/** Reads the token, or creates it on first start, readable only by its owner. */
export function loadServerToken(path: string = join(robotaHome(), 'server-token')): ServerToken {
  return readToken(path) ?? createToken(path);
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

function createToken(path: string): ServerToken {
  const token = randomBytes(32).toString('base64url');
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${token}\n`, { mode: 0o600 });
    // A link is atomic: of two servers starting at once, both use the token of the first.
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
