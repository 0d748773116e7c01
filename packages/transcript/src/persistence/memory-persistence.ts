import type { SavedSessionData, SessionListData, WorkspaceFile } from '../session-data.ts';
import { newBytesOf } from './continuation.ts';
import { AgentSessionExistsError, AgentSessionNotFoundError } from './errors.ts';
import { byLastActivity } from './session-order.ts';
import type { TranscriptPersistence, TranscriptPiece } from './transcript-persistence.ts';

/** Keeps sessions in memory. */
export class MemoryTranscriptPersistence implements TranscriptPersistence {
  readonly #sessions = new Map<string, StoredSession>();

  async listAllSessions(): Promise<readonly SessionListData[]> {
    const records = [...this.#sessions.values()].map(({ record }) => record);
    return structuredClone(records.sort(byLastActivity));
  }

  async loadSession(sessionId: string): Promise<SavedSessionData | null> {
    const stored = this.#sessions.get(sessionId);
    if (stored === undefined) return null;
    const main = stored.transcripts.get(MAIN);
    const subagents = [...stored.transcripts].filter(([id]) => id !== MAIN);
    return structuredClone({
      ...stored.record,
      ...(main && { rawTranscript: textOf(main) }),
      subagents: subagents.map(([id, transcript]) => ({
        id,
        rawTranscript: textOf(transcript),
        ...(transcript.meta !== undefined && { rawMeta: transcript.meta }),
      })),
      workspaceFiles: [...stored.files.values()],
    });
  }

  async createSessionRecord(session: SessionListData): Promise<void> {
    if (this.#sessions.has(session.sessionId)) throw new AgentSessionExistsError(session.sessionId);
    const record = structuredClone(session);
    this.#sessions.set(session.sessionId, { record, transcripts: new Map(), files: new Map() });
  }

  async updateSessionRecord(
    sessionId: string,
    updates: Partial<Omit<SessionListData, 'sessionId'>>,
  ): Promise<void> {
    const stored = this.#session(sessionId);
    stored.record = { ...stored.record, ...structuredClone(updates), sessionId };
  }

  async appendTranscript(sessionId: string, piece: TranscriptPiece): Promise<void> {
    const { transcripts } = this.#session(sessionId);
    const transcript = transcripts.get(piece.subagentId ?? MAIN) ?? { chunks: [], length: 0 };
    const saved = {
      length: transcript.length,
      read: (offset: number, length: number) =>
        Buffer.concat(transcript.chunks).subarray(offset, offset + length),
    };
    const bytes = newBytesOf(sessionId, piece, saved);
    if (bytes.length > 0) transcript.chunks.push(bytes);
    transcript.length += bytes.length;
    if (piece.meta !== undefined) transcript.meta = piece.meta;
    transcripts.set(piece.subagentId ?? MAIN, transcript);
  }

  async saveWorkspaceFile(sessionId: string, file: WorkspaceFile): Promise<void> {
    this.#session(sessionId).files.set(file.path, file);
  }

  async deleteWorkspaceFile(sessionId: string, path: string): Promise<void> {
    this.#session(sessionId).files.delete(path);
  }

  async deleteSession(sessionId: string): Promise<void> {
    this.#sessions.delete(sessionId);
  }

  #session(sessionId: string): StoredSession {
    const stored = this.#sessions.get(sessionId);
    if (stored === undefined) throw new AgentSessionNotFoundError(sessionId);
    return stored;
  }
}

interface StoredSession {
  record: SessionListData;
  readonly transcripts: Map<string, StoredTranscript>;
  readonly files: Map<string, WorkspaceFile>;
}

interface StoredTranscript {
  readonly chunks: Buffer[];
  length: number;
  meta?: string;
}

function textOf({ chunks }: StoredTranscript): string {
  return Buffer.concat(chunks).toString('utf8');
}

/** Cannot collide with a subagent, since their ids are not empty. */
const MAIN = '';
