import type { ConversationState } from '../fold/conversation-state.ts';
import type { Question } from '../question.ts';
import type { SessionStatus } from '../session-data.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { WorkspaceChange } from '../workspace/workspace-watch.ts';
import type { QuestionResolution } from './pending-questions.ts';

/** Port: told what happens in agent sessions. An `EventEmitter` of Node is one. */
export interface AgentEventBus {
  emit<Name extends keyof AgentBusEvents>(
    name: Name,
    payload: AgentBusEvents[Name],
    source: { readonly sessionId: string },
  ): unknown;
}

/** What can be heard of an agent's session. */
export interface AgentBusEvents {
  /** Every event that `sendMessage` yields, in the same order, and what happens between turns. */
  readonly stream_event: StreamEvent;
  /** Something changed that events cannot tell, such as the order of blocks: this replaces all that was told before. */
  readonly resync: ConversationState;
  /** Somebody has to decide; `AgentSession.answerQuestion` takes the answer. */
  readonly question: Question;
  readonly question_resolved: QuestionResolution;
  readonly session_status: SessionStatus;
  readonly workspace_change: WorkspaceChange;
}
