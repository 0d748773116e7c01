import type { AgentCalls } from './agent-calls.ts';
import type { BlockSequence } from './block-sequence.ts';
import type { SessionFacts } from './session-facts.ts';
import type { SpokenWords } from './spoken-words.ts';
import type { ThreadNotices } from './thread-notices.ts';
import type { ToolLedger } from './tool-ledger.ts';
import type { UserWords } from './user-words.ts';

/** Told what could not be turned into a block, by kind. */
export type OnSkipped = (kind: string) => void;

/** The parts a reading of one rollout works with. */
export interface ThreadParts {
  readonly blocks: BlockSequence;
  readonly facts: SessionFacts;
  readonly words: SpokenWords;
  readonly users: UserWords;
  readonly tools: ToolLedger;
  readonly agents: AgentCalls;
  readonly notices: ThreadNotices;
  readonly onSkipped: OnSkipped;
}
