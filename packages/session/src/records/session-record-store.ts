import type { SessionLogger } from '../log/session-logger.ts';
import type { SecretVault } from '../secrets/secret-vault.ts';
import type { VaultFileOptions } from '../secrets/vault-file.ts';
import type { FellowFold, SavedSession } from './saved-session.ts';
import type { SessionRecord } from './session-record.ts';
import type { WriterLock } from './writer-lock.ts';

/**
 * Port: stores session records. `save` replaces the whole record. `load` returns undefined for an unknown id and throws
 * an error with code `corrupt_record` for an unreadable one. `delete` of an unknown id does nothing.
 */
export interface SessionRecordStore {
  save(record: SessionRecord): void | Promise<void>;
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  list(): SessionRecord[] | Promise<SessionRecord[]>;
  delete(id: string): void | Promise<void>;
  /** The record, brought up to date from the session's log; absent if the store has no logs. */
  open?(
    id: string,
    fellows?: readonly FellowFold[],
  ): SavedSession | undefined | Promise<SavedSession | undefined>;
  /** Path of a record, for hooks that read it; absent if it is not a file. */
  getFilePath?(id: string): string;
  /** Path where the store reads the log of a session: logged entries need not be saved again after every run. */
  getLogPath?(id: string): string | undefined;
  /** Whether the store reads what this logger writes, if that is not a file. */
  keepsLogOf?(logger: SessionLogger): boolean;
  /** Size of the last saved record, if it is not a file. */
  getSavedSize?(id: string): number | undefined;
  /** Storage for the secrets of a session if its logger has none; absent if they are not stored. */
  openVault?(id: string, options?: VaultFileOptions): SecretVault;
  /** Acquires the writer lock or throws `session_locked`; absent if locking happens elsewhere. */
  lock?(id: string): WriterLock;
}
