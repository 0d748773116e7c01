import { createHash, randomBytes, randomUUID, timingSafeEqual } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { robotaHome } from '@robota-sdk/agent-sdk';
import { z } from 'zod';
import { type Identity, ROLES, type Role } from './roles.ts';

/** A token as listed; only its owner knows the secret. */
export interface IssuedToken {
  readonly id: string;
  readonly user: string;
  readonly roles: readonly Role[];
  readonly createdAt: string;
}

const tokenSchema = z.object({
  id: z.string(),
  user: z.string(),
  roles: z.array(z.enum(ROLES)),
  createdAt: z.string(),
  hash: z.string(),
});

/** Tokens issued to users: one file each, hashed, readable only by the owner. */
export class TokenBook {
  readonly #folder: string;

  constructor(folder: string = join(robotaHome(), 'tokens')) {
    this.#folder = folder;
  }

  /** Returns the secret once; only its hash is stored. */
  create(user: string, roles: readonly Role[]): IssuedToken & { readonly token: string } {
    if (!/^[\w.@-]{1,64}$/.test(user)) {
      throw new Error('A user name has letters, digits, ".", "_", "@" and "-", at most 64.');
    }
    if (roles.length === 0) throw new Error(`Give at least one role: ${ROLES.join(', ')}.`);
    const id = randomUUID().slice(0, 8);
    // The id prefix locates the file without reading the others.
    const token = `${id}.${randomBytes(32).toString('base64url')}`;
    const issued = { id, user, roles: [...new Set(roles)], createdAt: new Date().toISOString() };
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    const text = JSON.stringify({ ...issued, hash: hashOf(token).toString('hex') });
    writeFileSync(this.#path(id), `${text}\n`, { mode: 0o600, flag: 'wx' });
    return { ...issued, token };
  }

  list(): IssuedToken[] {
    const names = namesIn(this.#folder).filter((name) => name.endsWith('.json'));
    return names
      .flatMap((name) => {
        const found = this.#read(name.slice(0, -'.json'.length));
        if (!found) return [];
        const { hash: _hash, ...issued } = found;
        return [issued];
      })
      .sort((one, other) => one.createdAt.localeCompare(other.createdAt));
  }

  /** False when there is no such token. */
  revoke(id: string): boolean {
    if (!this.has(id)) return false;
    rmSync(this.#path(id), { force: true });
    return true;
  }

  has(id: string): boolean {
    return this.#read(id) !== undefined;
  }

  /** The owner of a token; undefined for an unknown or revoked one. */
  identify(token: string): Identity | undefined {
    const id = token.split('.')[0] ?? '';
    const found = this.#read(id);
    if (!found || !timingSafeEqual(Buffer.from(found.hash, 'hex'), hashOf(token))) return undefined;
    return { user: found.user, roles: new Set(found.roles), tokenId: id };
  }

  #read(id: string): z.infer<typeof tokenSchema> | undefined {
    if (!/^[0-9a-f]{8}$/.test(id)) return undefined;
    const path = this.#path(id);
    let text: string;
    try {
      chmodSync(path, 0o600);
      text = readFileSync(path, 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw new Error(`Cannot read the token ${path}`, { cause: error });
    }
    // A damaged file admits nobody.
    const parsed = tokenSchema.safeParse(parseJson(text));
    return parsed.success && /^[0-9a-f]{64}$/.test(parsed.data.hash) ? parsed.data : undefined;
  }

  #path(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw new Error(`Cannot list the tokens in ${folder}`, { cause: error });
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
