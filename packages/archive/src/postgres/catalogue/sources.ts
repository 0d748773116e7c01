import type { SessionReading } from '../../reading/session-reading.ts';
import type { SourcedSession } from './catalogue-writer.ts';

/** Where sessions of the archive itself come from, as the catalogue writes it down. */
export const ARCHIVE_SOURCE = 'archive';
/** Those of other agents' programs. */
export const AGENTS_SOURCE = 'agents';

/** What the place of a session begins with that is in the archive: no file is called so. */
export const ARCHIVE_PATH = 'archive:';

/** What has to be read, and what is not there any more. */
export interface SourceChanges {
  /** New or changed, the oldest first. */
  readonly changed: readonly ChangedSession[];
  /** Rows whose sessions were deleted. */
  readonly gone: readonly number[];
  /** Rows whose sessions are elsewhere. */
  readonly moved: readonly number[];
  /** Rows whose files are another session's now. */
  readonly taken: readonly number[];
}

export interface ChangedSession {
  readonly session: SourcedSession;
  read(): Promise<SessionReading>;
}

/** Port: where a catalogue has its sessions from. */
export interface CatalogueSource {
  /** Whose turn it is to read: of all with one name, one reads at a time. */
  readonly turn: string;
  look(): Promise<SourceChanges>;
}
