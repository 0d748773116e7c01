import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';
import { type SecretVault, VaultLines } from '@robota-sdk/agent-session';
import type { ArchiveCipher } from './archive-cipher.ts';
import type { Link } from './link.ts';
import type { Tables } from './tables.ts';

/** The lines of a session's vault that this key can decrypt. */
export async function readVault(
  { link, tables, cipher }: { link: Link; tables: Tables; cipher: ArchiveCipher },
  id: string,
): Promise<readonly string[]> {
  const rows = await link.query(
    `SELECT v.data FROM ${tables.vault} v WHERE v.sid = (SELECT sid FROM ${tables.session} WHERE id = $1) ORDER BY v.place`,
    [id],
  );
  // Lines encrypted with another key count as missing: the session keeps its placeholders and reports it.
  return rows.flatMap(
    ({ data }) => cipher.open(data as Uint8Array, vaultPlace(id))?.toString('utf8') ?? [],
  );
}

/** Binds secrets to their session, so that they cannot be decrypted for another. */
export function vaultPlace(id: string): string {
  return `vault:${id}`;
}

export interface SessionVaultParts {
  readonly lines: readonly string[];
  readonly salt?: string | undefined;
  /** Written in the same statement as the next log lines, so that a placeholder always has its value. */
  readonly keep: (line: string) => void;
}

/** The encrypted secrets of an archived session; those stored before the claim are loaded. */
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

  /** Always complete: values are written together with the lines that need them. */
  flush(): boolean {
    return true;
  }

  close(): void {}
}
