import type { IndexedSession } from '../../reading/session-reading.ts';
import type { SourcedSession } from './catalogue-writer.ts';

/** Source name of the archive's own sessions in the catalogue. */
export const ARCHIVE_SOURCE = 'archive';
/** Source name of other agents' sessions in the archive. */
export const AGENTS_SOURCE = 'agents';

/** Prefix of an archived session's path; no file has such a name. */
export const ARCHIVE_PATH = 'archive:';

/** What has to be read, and what was removed. */
export interface SourceChanges {
  /** New or changed, oldest first. */
  readonly changed: readonly ChangedSession[];
  /** Rows whose sessions were deleted. */
  readonly gone: readonly number[];
  /** Rows whose sessions are elsewhere. */
  readonly moved: readonly number[];
  /** Rows whose files belong to another session now. */
  readonly taken: readonly number[];
}

export interface ChangedSession {
  readonly session: SourcedSession;
  read(): Promise<IndexedSession>;
}

/** Port: a source of sessions for a catalogue. */
export interface CatalogueSource {
  /** Name of the reading turn; of all sources with one name, one reads at a time. */
  readonly turn: string;
  look(): Promise<SourceChanges>;
}
