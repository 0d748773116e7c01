import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';

/**
 * Port: where the secrets of one session are kept, apart from everything that is shown or carried away. It serves one
 * purpose: to send the model what it was sent before. Values are there before a placeholder for them is written.
 */
export interface SecretVault {
  /** Makes the ids of placeholders; the same for as long as the vault lasts. */
  readonly salt: string;
  /** Whether anything is in it. */
  readonly isEmpty: boolean;
  lookup(id: string): string | undefined;
  /** The values of secret names that `owner`, a message or a tool result, had. */
  namedOf(owner: string): readonly NamedSecret[];
  /** Never throws: what cannot be written is kept and tried again. */
  add(secret: FoundSecret): void;
  addNamed(owner: string, secret: NamedSecret): void;
  /** Tries again what could not be written; false while some is missing. */
  flush(): boolean;
  close(): void;
}
