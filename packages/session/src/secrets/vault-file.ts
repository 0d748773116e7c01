import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';
import { LogFile } from '../log/log-file.ts';
import { readIfPresent, tryMakePrivateDirectory } from '../records/private-files.ts';
import type { SecretVault } from './secret-vault.ts';

/** The ending of a vault's name; nobody but a session's own process has a reason to open such a file. */
export const VAULT_SUFFIX = '.vault';

const VAULT_FORMAT = 1;
const SALT_BYTES = 16;

export interface VaultFileOptions {
  /** For a fork: its placeholders are those of the session it comes from. */
  readonly salt?: string | undefined;
  /** Hears of the first failure after each success. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** One line of the file: the salt, a secret, or the value of a secret name. */
interface VaultLine {
  readonly vault?: unknown;
  readonly salt?: unknown;
  readonly id?: unknown;
  readonly kind?: unknown;
  readonly value?: unknown;
  readonly of?: unknown;
  readonly path?: unknown;
}

/** A vault as a file that only its owner can read, written to its end only; there is none before there is a secret. */
export class VaultFile implements SecretVault {
  readonly salt: string;
  readonly #path: string;
  readonly #file: LogFile;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #values = new Map<string, string>();
  readonly #named = new Map<string, NamedSecret[]>();
  #hasHeader = false;
  #isFailing = false;

  constructor(path: string, options: VaultFileOptions = {}) {
    this.#path = path;
    this.#file = new LogFile(path);
    this.#onError = options.onError;
    let salt: string | undefined;
    // A vault that cannot be read is like one that is missing: the session goes on with placeholders.
    this.#guard(() => {
      salt = this.#read();
    });
    this.#hasHeader = salt !== undefined;
    this.salt = salt ?? options.salt ?? randomBytes(SALT_BYTES).toString('hex');
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

  flush(): boolean {
    if (this.#isFailing) {
      tryMakePrivateDirectory(dirname(this.#path));
      this.#guard(() => this.#file.flush());
    }
    return !this.#isFailing;
  }

  close(): void {
    this.flush();
    this.#guard(() => this.#file.close());
  }

  #append(line: VaultLine): void {
    let text = `${JSON.stringify(line)}\n`;
    if (!this.#hasHeader) {
      this.#hasHeader = true;
      text = `${JSON.stringify({ vault: VAULT_FORMAT, salt: this.salt })}\n${text}`;
    }
    this.#guard(() => {
      tryMakePrivateDirectory(dirname(this.#path));
      this.#file.append(text);
    });
  }

  #guard(work: () => void): void {
    try {
      work();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.#onError?.(error);
      this.#isFailing = true;
    }
  }

  /** Takes in what the file holds and gives its salt; lines that cannot be read are passed over. */
  #read(): string | undefined {
    const text = readIfPresent(this.#path);
    if (text === undefined) return undefined;
    chmodSync(this.#path, 0o600);
    let salt: string | undefined;
    for (const raw of text.split('\n')) {
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
    // A line that was torn by a crash stands for a secret whose placeholder was not written either.
    return undefined;
  }
}
