import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';
import { LogFile } from '../log/log-file.ts';
import { readIfPresent, tryMakePrivateDirectory } from '../records/private-files.ts';
import type { SecretVault } from './secret-vault.ts';
import { VaultLines } from './vault-lines.ts';

/** File name suffix of vaults; only a session's own process should open such a file. */
export const VAULT_SUFFIX = '.vault';

/** Options for opening a vault file. */
export interface VaultFileOptions {
  /** For a fork: the salt of the original session, so that placeholders match. */
  readonly salt?: string | undefined;
  /** Called for the first failure after each success. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A vault in an append-only file that only its owner can read; created with the first secret. */
export class VaultFile implements SecretVault {
  readonly #path: string;
  readonly #file: LogFile;
  readonly #onError: ((error: unknown) => void) | undefined;
  readonly #lines: VaultLines;
  #isFailing = false;

  constructor(path: string, options: VaultFileOptions = {}) {
    this.#path = path;
    this.#file = new LogFile(path);
    this.#onError = options.onError;
    let text = '';
    // An unreadable vault counts as missing: the session continues with placeholders.
    this.#guard(() => {
      text = readIfPresent(path) ?? '';
    });
    // Separate from reading: a file whose mode cannot be changed, as on a read-only disk, is still used.
    if (!this.#isFailing) this.#guard(() => this.#makePrivate());
    const write = (line: string) => this.#append(`${line}\n`);
    this.#lines = new VaultLines({ lines: text.split('\n'), salt: options.salt, write });
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

  #append(text: string): void {
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

  #makePrivate(): void {
    const { mode = 0o600 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    if ((mode & 0o077) !== 0) chmodSync(this.#path, 0o600);
  }
}
