import { randomBytes } from 'node:crypto';
import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';

const VAULT_FORMAT = 1;
const SALT_BYTES = 16;

/** One line of a vault: the salt, a secret, or the value of a secret name. */
interface VaultLine {
  readonly vault?: unknown;
  readonly salt?: unknown;
  readonly id?: unknown;
  readonly kind?: unknown;
  readonly value?: unknown;
  readonly of?: unknown;
  readonly path?: unknown;
}

/** Existing lines and output of a vault. */
export interface VaultLinesOptions {
  /** Existing lines; unreadable ones are skipped. */
  readonly lines?: Iterable<string> | undefined;
  /** For a new vault: the salt of the session it was forked from. */
  readonly salt?: string | undefined;
  /** Stores a line without a line break; the first one contains the salt. */
  readonly write: (line: string) => void;
}

/** The secrets of one session as append-only lines, independent of the storage. */
export class VaultLines {
  readonly salt: string;
  readonly #write: (line: string) => void;
  readonly #values = new Map<string, string>();
  readonly #named = new Map<string, NamedSecret[]>();
  #hasHeader: boolean;

  constructor({ lines = [], salt, write }: VaultLinesOptions) {
    this.#write = write;
    const known = this.#read(lines);
    this.#hasHeader = known !== undefined;
    this.salt = known ?? salt ?? randomBytes(SALT_BYTES).toString('hex');
  }

  get isEmpty(): boolean {
    return this.#values.size === 0 && this.#named.size === 0;
  }

  lookup(id: string): string | undefined {
    return this.#values.get(id);
  }

  namedOf(owner: string): readonly NamedSecret[] {
    return this.#named.get(owner) ?? [];
  }

  add({ id, kind, value }: FoundSecret): void {
    if (this.#values.has(id)) return;
    this.#values.set(id, value);
    this.#append({ id, kind, value });
  }

  addNamed(owner: string, { path, value }: NamedSecret): void {
    const key = JSON.stringify(path);
    const known = this.#named.get(owner) ?? [];
    const before = known.find((named) => JSON.stringify(named.path) === key);
    if (before && JSON.stringify(before.value) === JSON.stringify(value)) return;
    const others = known.filter((named) => named !== before);
    this.#named.set(owner, [...others, { path, value }]);
    this.#append({ of: owner, path, value });
  }

  #append(line: VaultLine): void {
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      this.#write(JSON.stringify({ vault: VAULT_FORMAT, salt: this.salt }));
    }
    this.#write(JSON.stringify(line));
  }

  /** Loads existing lines and returns their salt. */
  #read(lines: Iterable<string>): string | undefined {
    let salt: string | undefined;
    for (const raw of lines) {
      const line = parseLine(raw);
      if (typeof line?.salt === 'string') salt = line.salt;
      if (typeof line?.value === 'string' && typeof line.id === 'string') {
        this.#values.set(line.id, line.value);
      } else if (typeof line?.of === 'string' && Array.isArray(line.path)) {
        const { of: owner, value } = line;
        const key = JSON.stringify(line.path);
        const others = this.namedOf(owner).filter(({ path }) => JSON.stringify(path) !== key);
        this.#named.set(owner, [...others, { path: line.path as NamedSecret['path'], value }]);
      }
    }
    return salt;
  }
}

function parseLine(raw: string): VaultLine | undefined {
  if (raw === '') return undefined;
  try {
    const value: unknown = JSON.parse(raw);
    return typeof value === 'object' && value !== null ? (value as VaultLine) : undefined;
  } catch {
    // A line torn by a crash holds a secret whose placeholder was not written either.
    return undefined;
  }
}
