import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';
import { type SecretVault, VaultLines } from '@robota-sdk/agent-session';
import type { ArchiveCipher } from './archive-cipher.ts';
import type { Link } from './link.ts';
import type { Tables } from './tables.ts';

/** The lines of a session's vault, as far as the key fits. */
export async function readVault(
  { link, tables, cipher }: { link: Link; tables: Tables; cipher: ArchiveCipher },
  id: string,
): Promise<readonly string[]> {
  const rows = await link.query(
    `SELECT v.data FROM ${tables.vault} v WHERE v.sid = (SELECT sid FROM ${tables.session} WHERE id = $1) ORDER BY v.place`,
    [id],
  );
  // What another key has sealed is like what is missing: the session goes on with placeholders, and says so.
  return rows.flatMap(
    ({ data }) => cipher.open(data as Uint8Array, vaultPlace(id))?.toString('utf8') ?? [],
  );
}

/** Secrets of one session cannot be read as those of another. */
export function vaultPlace(id: string): string {
  return `vault:${id}`;
}

export interface SessionVaultParts {
  readonly lines: readonly string[];
  readonly salt?: string | undefined;
  /** Goes with the next lines of the log, in the same statement: a value is there when its placeholder is. */
  readonly keep: (line: string) => void;
}

/** The secrets of a session of the archive, enciphered; what was there when the session was claimed is known. */
export class SessionVault implements SecretVault {
  readonly #lines: VaultLines;

  constructor({ lines, salt, keep }: SessionVaultParts) {
    this.#lines = new VaultLines({ lines, salt, write: keep });
  }

  get salt(): string {
    return this.#lines.salt;
  }

  get isEmpty(): boolean {
    return this.#lines.isEmpty;
  }

  lookup(id: string): string | undefined {
    return this.#lines.lookup(id);
  }

  namedOf(owner: string): readonly NamedSecret[] {
    return this.#lines.namedOf(owner);
  }

  add(secret: FoundSecret): void {
    this.#lines.add(secret);
  }

  addNamed(owner: string, secret: NamedSecret): void {
    this.#lines.addNamed(owner, secret);
  }

  /** Nothing is ever missing: values are written with the lines that need them, or neither is. */
  flush(): boolean {
    return true;
  }

  close(): void {}
}
