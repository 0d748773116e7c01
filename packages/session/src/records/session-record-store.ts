import type { SessionRecord } from './session-record.ts';
import type { WriterLock } from './writer-lock.ts';

/**
 * Port: where session records are kept. `save` replaces the whole record and may be called after every run
 * with live arrays, so an adapter writes only what is new. `load` answers undefined for an unknown id and
 * throws an error with code `corrupt_record` for an unreadable one. `delete` of an unknown id does nothing.
 */
export interface SessionRecordStore {
  save(record: SessionRecord): void | Promise<void>;
  load(id: string): SessionRecord | undefined | Promise<SessionRecord | undefined>;
  list(): SessionRecord[] | Promise<SessionRecord[]>;
  delete(id: string): void | Promise<void>;
  /** Where a record lies, for hooks that want to read it; absent where there is no file. */
  getFilePath?(id: string): string;
  /** Claims the only writer's place or throws `session_locked`; absent where somebody else guards it. */
  lock?(id: string): WriterLock;
  /** Brings a record that was saved in pieces into one piece. */
  settle?(id: string): void | Promise<void>;
}
