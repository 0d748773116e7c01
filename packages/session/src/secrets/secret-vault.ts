import type { FoundSecret, NamedSecret } from '@robota-sdk/agent-core/log';

/**
 * Port: stores the secrets of one session, apart from everything that is shown or exported. Its only purpose is to send
 * the model what it was sent before. A value is stored before its placeholder is written.
 */
export interface SecretVault {
  /** Used to derive placeholder ids; constant for the lifetime of the vault. */
  readonly salt: string;
  readonly isEmpty: boolean;
  lookup(id: string): string | undefined;
  /** Values of secret names in `owner`, a message or a tool result. */
  namedOf(owner: string): readonly NamedSecret[];
  /** Never throws: what cannot be written is kept and retried. */
  add(secret: FoundSecret): void;
  addNamed(owner: string, secret: NamedSecret): void;
  /** Retries unwritten values; false while some are unwritten. */
  flush(): boolean;
  close(): void;
}
