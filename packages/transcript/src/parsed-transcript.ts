import type { ConversationBlock } from './blocks.ts';
import type { ModelRequest } from './model-request.ts';
import type { SessionMetadata } from './session-metadata.ts';

/** The native transcripts of one session, byte for byte as the agent wrote them. */
export interface RawTranscripts {
  /** Missing while the agent has not written anything. */
  readonly main?: string | undefined;
  readonly subagents?: readonly RawSubagentTranscript[] | undefined;
}

/** The lines of one subagent. */
export interface RawSubagentTranscript {
  /** The agent's own id; a leading `agent-` is ignored. */
  readonly id: string;
  readonly transcript?: string | undefined;
  /** The text of the file some agents keep beside the transcript (Claude Code: `agent-<id>.meta.json`). */
  readonly meta?: string | undefined;
}

/** One session as blocks. Equal input gives an equal result, ids and timestamps included. */
export interface ParsedTranscript {
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
  readonly skipped: SkippedInput;
  readonly metadata: SessionMetadata;
  /** For each of `blocks` the byte at which its line begins in the file; -1 for one that no line stands for. */
  readonly offsets?: readonly number[] | undefined;
  /** What the model was asked in all threads, each request once. */
  readonly requests?: readonly ModelRequest[] | undefined;
}

/** What one subagent said and did. */
export interface SubagentThread {
  readonly id: string;
  readonly blocks: readonly ConversationBlock[];
  /** For each block the byte in the subagent's own file, as `ParsedTranscript.offsets` says it. */
  readonly offsets?: readonly number[] | undefined;
}

/** Why a block is no part of the conversation any more. */
export type SupersededReason = 'rewind' | 'retry' | 'branch' | 'reset';

/** A stretch of conversation that was abandoned; kept aside, never shown as part of it. */
export interface SupersededBranch {
  readonly reason: SupersededReason;
  /** The last block that both share; `null` when the branch started from nothing. */
  readonly afterBlockId: string | null;
  /** The subagent's thread the branch belongs to; absent for the main conversation. */
  readonly conversationId?: string;
  readonly blocks: readonly ConversationBlock[];
}

/** Lines that could not be read, counted. */
export interface SkippedInput {
  /** Lines that are not readable as a record. */
  readonly lines: number;
  /** Records and parts of a kind unknown to us, by kind. */
  readonly kinds: Readonly<Record<string, number>>;
}
