import type { ConversationBlock } from './blocks.ts';
import type { ModelRequest } from './model-request.ts';
import type { SessionMetadata } from './session-metadata.ts';

/** The native transcripts of one session, byte for byte as the agent wrote them. */
export interface RawTranscripts {
  /** Absent until the agent has written something. */
  readonly main?: string | undefined;
  readonly subagents?: readonly RawSubagentTranscript[] | undefined;
}

/** The transcript of one subagent. */
export interface RawSubagentTranscript {
  /** The agent's own id; a leading `agent-` is ignored. */
  readonly id: string;
  readonly transcript?: string | undefined;
  /** Text of the metadata file some agents keep next to the transcript (Claude Code: `agent-<id>.meta.json`). */
  readonly meta?: string | undefined;
}

/** One session as blocks. Equal input gives an equal result, ids and timestamps included. */
export interface ParsedTranscript {
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
  readonly skipped: SkippedInput;
  readonly metadata: SessionMetadata;
  /** For each of `blocks` the byte offset of its line in the file; -1 for a block without a line. */
  readonly offsets?: readonly number[] | undefined;
  /** The model requests of all threads, each once. */
  readonly requests?: readonly ModelRequest[] | undefined;
}

/** The conversation of one subagent. */
export interface SubagentThread {
  readonly id: string;
  readonly blocks: readonly ConversationBlock[];
  /** As `ParsedTranscript.offsets`, in the subagent's own file. */
  readonly offsets?: readonly number[] | undefined;
}

/** Why a block is no longer part of the conversation. */
export type SupersededReason = 'rewind' | 'retry' | 'branch' | 'reset';

/** An abandoned branch of the conversation; kept separately, never shown as part of it. */
export interface SupersededBranch {
  readonly reason: SupersededReason;
  /** The last block both branches share; `null` when they share none. */
  readonly afterBlockId: string | null;
  /** The subagent's thread the branch belongs to; absent for the main conversation. */
  readonly conversationId?: string;
  readonly blocks: readonly ConversationBlock[];
}

/** Counts of input that could not be read. */
export interface SkippedInput {
  /** Lines that are not valid records. */
  readonly lines: number;
  /** Records and parts of unknown kinds, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}
