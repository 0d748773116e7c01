import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasCode, isMissing } from '../files/resolve-links.ts';
import { sha256 } from './file-version.ts';

/**
 * Contents of files, stored once under their hash. They are unredacted and may hold secrets, so their names end like
 * those of vaults, which no tool may open. Forks share contents by hard links, so either folder can be deleted.
 */
export class ObjectFolder {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Bytes written by `put`, for the budget. */
  written = 0;

  /** Throws the error of the file system, such as a full disk; leaves no partial file. */
  put(bytes: Uint8Array, hash = sha256(bytes)): string {
    if (this.has(hash)) return hash;
    const path = this.#path(hash);
    const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
    mkdirSync(join(this.#folder, hash.slice(0, 2)), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(draft, bytes, { mode: 0o600 });
      renameSync(draft, path);
    } catch (error) {
      rmSync(draft, { force: true });
      throw error;
    }
    this.written += bytes.length;
    return hash;
  }

  /** Checked each time: another process may have removed it to free space. */
  has(hash: string): boolean {
    return existsSync(this.#path(hash));
  }

  /** Undefined when it is missing or damaged. */
  read(hash: string): Buffer | undefined {
    try {
      const bytes = readFileSync(this.#path(hash));
      return sha256(bytes) === hash ? bytes : undefined;
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** Links or copies contents from another session's folder; those it lacks stay missing. */
  share(from: ObjectFolder, hashes: Iterable<string>): void {
    for (const hash of hashes) {
      if (this.has(hash) || !from.has(hash)) continue;
      mkdirSync(join(this.#folder, hash.slice(0, 2)), { recursive: true, mode: 0o700 });
      try {
        linkSync(from.#path(hash), this.#path(hash));
      } catch (error) {
        if (hasCode(error, 'EEXIST')) continue;
        const bytes = from.read(hash);
        if (bytes) this.put(bytes, hash);
      }
    }
  }

  #path(hash: string): string {
    return join(this.#folder, hash.slice(0, 2), `${hash}.vault`);
  }
}
