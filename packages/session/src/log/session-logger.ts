import type { WriterLock } from '../records/writer-lock.ts';
import type { SecretVault } from '../secrets/secret-vault.ts';
import type { VaultFileOptions } from '../secrets/vault-file.ts';
import type { LogSink } from './log-sink.ts';

/** The fields of one event. */
export type SessionLogData = Record<string, string | number | boolean | object | null | undefined>;

/**
 * Port: what happened in a session, in order. `log` never throws and returns once the event survives the end
 * of the process; streamed deltas may be held back for at most 50 ms.
 */
export interface SessionLogger {
  /** What stands in the log for the value of a secret name; `[REDACTED]` unless given. */
  readonly redactedValue?: string | undefined;
  log(sessionId: string, event: string, data: SessionLogData): void | Promise<void>;
  /** Asks the operating system to make what was logged survive a loss of power. */
  sync?(sessionId: string): void | Promise<void>;
  /** Writes what is held back and lets go of the session's file. */
  close?(sessionId?: string): void | Promise<void>;
  /** False while something could not be written, so that surfaces can say so. */
  isSaving?(): boolean;
  /** Why, while something could not be written. */
  getSaveError?(): unknown;
  /** Where a session's log lies, where it is a file. */
  getFilePath?(sessionId: string): string;
  /** Where the session itself writes its entries, in our own format; without it they come through `log`. */
  openSink?(sessionId: string): LogSink;
  /** Where the secrets of a session are kept; absent where they are not. */
  openVault?(sessionId: string, options?: VaultFileOptions): SecretVault;
  /** Claims the only writer's place or throws `session_locked`. */
  lock?(sessionId: string): WriterLock;
}
