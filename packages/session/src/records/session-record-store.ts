import type { SessionLogger } from '../log/session-logger.ts';
import type { SecretVault } from '../secrets/secret-vault.ts';
import type { VaultFileOptions } from '../secrets/vault-file.ts';
import type { FellowFold, SavedSession } from './saved-session.ts';
import type { SessionRecord } from './session-record.ts';
import type { WriterLock } from './writer-lock.ts';

/**
 * Port: where session records are kept. `save` replaces the whole record. `load` answers undefined for an unknown
 * id and throws an error with code `corrupt_record` for an unreadable one. `delete` of an unknown id does nothing.
 */
export interface SessionRecordStore {
  save(record: SessionRecord): void | Promise<void>;
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  list(): SessionRecord[] | Promise<SessionRecord[]>;
  delete(id: string): void | Promise<void>;
  /** The record with what the session's log knows beyond it; absent where the store knows no logs. */
  open?(
    id: string,
    fellows?: readonly FellowFold[],
  ): SavedSession | undefined | Promise<SavedSession | undefined>;
  /** Where a record lies, for hooks that want to read it; absent where there is no file. */
  getFilePath?(id: string): string;
  /** Where the store looks for the log of a session: what is written there need not be saved again after every run. */
  getLogPath?(id: string): string | undefined;
  /** Whether the store reads what this logger writes, where that is no file. */
  keepsLogOf?(logger: SessionLogger): boolean;
  /** How large the record was that was saved last, where it is no file. */
  getSavedSize?(id: string): number | undefined;
  /** Where the secrets of a session are kept when its logger keeps none; absent where they are not. */
  openVault?(id: string, options?: VaultFileOptions): SecretVault;
  /** Claims the only writer's place or throws `session_locked`; absent where somebody else guards it. */
  lock?(id: string): WriterLock;
}
