import type { AgentCalls } from './agent-calls.ts';
import type { BlockSequence } from './block-sequence.ts';
import type { ModelMessages } from './model-messages.ts';
import type { SessionFacts } from './session-facts.ts';
import type { ThreadNotices } from './thread-notices.ts';
import type { ToolLedger } from './tool-ledger.ts';
import type { UserMessages } from './user-messages.ts';

/** Called with the kind of a record that could not be turned into a block. */
export type OnSkipped = (kind: string) => void;

/** The collaborators of the reading of one rollout. */
export interface ThreadParts {
  readonly blocks: BlockSequence;
  readonly facts: SessionFacts;
  readonly messages: ModelMessages;
  readonly users: UserMessages;
  readonly tools: ToolLedger;
  readonly agents: AgentCalls;
  readonly notices: ThreadNotices;
  readonly onSkipped: OnSkipped;
}
