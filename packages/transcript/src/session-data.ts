import type { AgentArchitectureType } from './architecture-type.ts';
import type { ConversationBlock } from './blocks.ts';

/** How an agent's session stands. */
export type SessionStatus =
  | 'pending'
  | 'active'
  | 'inactive'
  | 'completed'
  | 'failed'
  | 'building-sandbox';

/** What a list of sessions shows. Times are milliseconds since 1970. */
export interface SessionListData {
  readonly sessionId: string;
  readonly type: AgentArchitectureType;
  readonly agentProfileReference: string;
  readonly name?: string;
  readonly status: SessionStatus;
  readonly lastActivity?: number;
  readonly createdAt?: number;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** What is persisted: transcripts as the agent wrote them, nothing derived from them. */
export interface SavedSessionData extends SessionListData {
  readonly rawTranscript?: string | undefined;
  readonly subagents?: readonly SavedSubagent[] | undefined;
  readonly workspaceFiles: readonly WorkspaceFile[];
}

/** A subagent of a saved session. */
export interface SavedSubagent {
  readonly id: string;
  readonly rawTranscript?: string | undefined;
  /** The text of the file some agents keep beside a subagent's transcript. */
  readonly rawMeta?: string | undefined;
}

/** A loaded session: what is saved, and the blocks read from it. */
export interface RuntimeSessionData extends SavedSessionData {
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: readonly RuntimeSubagent[];
}

/** A subagent of a running session. */
export interface RuntimeSubagent extends SavedSubagent {
  readonly blocks: readonly ConversationBlock[];
}

/** A file of an agent's workspace. */
export interface WorkspaceFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** `undefined` of a file that was too large to be kept. */
  readonly content: string | undefined;
  /** How the content of a file that is no text is written. */
  readonly encoding?: 'base64' | undefined;
}
