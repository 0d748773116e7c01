import { chmodSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';
import { LogFile } from '../log/log-file.ts';
import { readIfPresent, tryMakePrivateDirectory } from '../records/private-files.ts';
import type { SecretVault } from './secret-vault.ts';
import { VaultLines } from './vault-lines.ts';

/** The ending of a vault's name; nobody but a session's own process has a reason to open such a file. */
export const VAULT_SUFFIX = '.vault';

/** How a vault is opened. */
export interface VaultFileOptions {
  /** For a fork: its placeholders are those of the session it comes from. */
  readonly salt?: string | undefined;
  /** Hears of the first failure after each success. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** A vault as a file that only its owner can read, written to its end only; there is none before there is a secret. */
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
    // A vault that cannot be read is like one that is missing: the session goes on with placeholders.
    this.#guard(() => {
      text = readIfPresent(path) ?? '';
    });
    // Apart from reading: what cannot be closed to others, as on a read-only disk, is used all the same.
    if (!this.#isFailing) this.#guard(() => this.#closeToOthers());
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

  #closeToOthers(): void {
    const { mode = 0o600 } = statSync(this.#path, { throwIfNoEntry: false }) ?? {};
    if ((mode & 0o077) !== 0) chmodSync(this.#path, 0o600);
  }
}
