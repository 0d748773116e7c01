import type { WriterLock } from '../records/writer-lock.ts';
import type { SecretVault } from '../secrets/secret-vault.ts';
import type { VaultFileOptions } from '../secrets/vault-file.ts';
import type { LogSink } from './log-sink.ts';

/** The fields of one event. */
export type SessionLogData = Record<string, string | number | boolean | object | null | undefined>;

/**
 * Port: records the events of sessions, in order. `log` never throws and returns once the event survives the end of the
 * process; streamed deltas may be buffered for at most 50 ms.
 */
export interface SessionLogger {
  /** Replacement for the values of secret names; `[REDACTED]` by default. */
  readonly redactedValue?: string | undefined;
  log(sessionId: string, event: string, data: SessionLogData): void | Promise<void>;
  /** Syncs the log to disk, so that it survives a loss of power. */
  sync?(sessionId: string): void | Promise<void>;
  /** Writes buffered entries and closes the session's file. */
  close?(sessionId?: string): void | Promise<void>;
  /** False while entries are unwritten, so that user interfaces can warn. */
  isSaving?(): boolean;
  /** The error, while entries are unwritten. */
  getSaveError?(): unknown;
  /** Path of a session's log, if it is a file. */
  getFilePath?(sessionId: string): string;
  /** Destination for the session's own log format; without it entries go through `log`. */
  openSink?(sessionId: string): LogSink;
  /** Storage for the secrets of a session; absent if they are not stored. */
  openVault?(sessionId: string, options?: VaultFileOptions): SecretVault;
  /** Acquires the writer lock or throws `session_locked`. */
  lock?(sessionId: string): WriterLock;
}
