import type { SavedSessionData, SessionListData, WorkspaceFile } from '../session-data.ts';
import type { SessionLock } from './session-lock.ts';

/**
 * Port: where agent sessions are kept. Knows nothing of blocks. A transcript only grows: what is saved is never
 * replaced by something shorter, older or empty, and comes back byte for byte. Calls about one session take effect
 * in the order they were made. Every implementation passes `describeTranscriptPersistence`.
 */
export interface TranscriptPersistence {
  /** Without transcripts and files, the most recently active first. */
  listAllSessions(): Promise<readonly SessionListData[]>;
  loadSession(sessionId: string): Promise<SavedSessionData | null>;
  /** Refuses an id that is taken. */
  createSessionRecord(session: SessionListData): Promise<void>;
  /** Refuses an unknown id; the id itself cannot be changed. */
  updateSessionRecord(
    sessionId: string,
    updates: Partial<Omit<SessionListData, 'sessionId'>>,
  ): Promise<void>;
  /** Adds to a transcript; text that is saved already is taken as read, text that contradicts it is refused. */
  appendTranscript(sessionId: string, piece: TranscriptPiece): Promise<void>;
  /**
   * The right to write the session, which one process has at a time. Rejects with `AgentSessionLockedError` while
   * another has it. Where sessions are never shared between processes there is no such method.
   */
  acquireLock?(sessionId: string): Promise<SessionLock>;
  saveWorkspaceFile(sessionId: string, file: WorkspaceFile): Promise<void>;
  /** A file that is not there is deleted already. */
  deleteWorkspaceFile(sessionId: string, path: string): Promise<void>;
  /** Everything that is known of the session; an unknown one is deleted already. */
  deleteSession(sessionId: string): Promise<void>;
}

/** A stretch of a transcript, as the agent wrote it. */
export interface TranscriptPiece {
  /** Whose transcript; the main one when left out. */
  readonly subagentId?: string | undefined;
  /** Where in the transcript the text begins, in bytes of UTF-8. */
  readonly offset: number;
  readonly text: string;
  /** The text of the file some agents keep beside a subagent's transcript; the last one counts. */
  readonly meta?: string | undefined;
}
