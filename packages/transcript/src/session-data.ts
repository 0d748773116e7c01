import type { AgentArchitectureType } from './architecture-type.ts';
import type { ConversationBlock } from './blocks.ts';

/** Status of an agent session. */
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

/** What is persisted: the transcripts as the agent wrote them, nothing derived. */
export interface SavedSessionData extends SessionListData {
  readonly rawTranscript?: string | undefined;
  readonly subagents?: readonly SavedSubagent[] | undefined;
  readonly workspaceFiles: readonly WorkspaceFile[];
}

/** A subagent of a saved session. */
export interface SavedSubagent {
  readonly id: string;
  readonly rawTranscript?: string | undefined;
  /** Text of the metadata file some agents keep next to a subagent's transcript. */
  readonly rawMeta?: string | undefined;
}

/** A loaded session: the saved data and the blocks parsed from it. */
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
  /** `undefined` if the file was too large to be saved. */
  readonly content: string | undefined;
  /** Set for files that are not text. */
  readonly encoding?: 'base64' | undefined;
}
