import type { ConversationBlock } from '../blocks.ts';
import type { SubagentThread, SupersededBranch } from '../parsed-transcript.ts';
import type { SessionMetadata } from '../session-metadata.ts';

/** The state of a conversation. A parsed transcript is one too, so live events can continue it. */
export interface ConversationState {
  readonly blocks: readonly ConversationBlock[];
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
  readonly metadata: SessionMetadata;
}

/** The state before anything has happened. */
export const EMPTY_CONVERSATION: ConversationState = {
  blocks: [],
  subagents: [],
  superseded: [],
  metadata: {},
};
