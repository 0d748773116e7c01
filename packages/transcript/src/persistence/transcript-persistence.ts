import type { SavedSessionData, SessionListData, WorkspaceFile } from '../session-data.ts';
import type { SessionLock } from './session-lock.ts';

/**
 * Port: storage of agent sessions. Does not know blocks. A transcript only grows: what is saved is never
 * replaced by something shorter, older or empty, and is returned byte for byte. Calls about one session take effect
 * in the order they were made. Every implementation passes `describeTranscriptPersistence`.
 */
export interface TranscriptPersistence {
  /** Without transcripts and files, most recent activity first. */
  listAllSessions(): Promise<readonly SessionListData[]>;
  loadSession(sessionId: string): Promise<SavedSessionData | null>;
  /** Rejects if the id exists. */
  createSessionRecord(session: SessionListData): Promise<void>;
  /** Rejects for an unknown id; the id itself cannot be changed. */
  updateSessionRecord(
    sessionId: string,
    updates: Partial<Omit<SessionListData, 'sessionId'>>,
  ): Promise<void>;
  /** Appends to a transcript; text that is already saved is ignored, contradicting text is refused. */
  appendTranscript(sessionId: string, piece: TranscriptPiece): Promise<void>;
  /**
   * Acquires the exclusive right to write the session. Rejects with `AgentSessionLockedError` while
   * another process has it. Absent where sessions are never shared between processes.
   */
  acquireLock?(sessionId: string): Promise<SessionLock>;
  saveWorkspaceFile(sessionId: string, file: WorkspaceFile): Promise<void>;
  /** Does nothing if the file does not exist. */
  deleteWorkspaceFile(sessionId: string, path: string): Promise<void>;
  /** Deletes all data of the session; does nothing if it does not exist. */
  deleteSession(sessionId: string): Promise<void>;
}

/** A range of a transcript, as the agent wrote it. */
export interface TranscriptPiece {
  /** The subagent; the main transcript by default. */
  readonly subagentId?: string | undefined;
  /** Start of the text in the transcript, in UTF-8 bytes. */
  readonly offset: number;
  readonly text: string;
  /** Text of a subagent's metadata file; the last one wins. */
  readonly meta?: string | undefined;
}
