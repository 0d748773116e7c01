import type { ConversationState } from '../fold/conversation-state.ts';
import type { Question } from '../question.ts';
import type { SessionStatus } from '../session-data.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { WorkspaceChange } from '../workspace/workspace-watch.ts';
import type { QuestionResolution } from './pending-questions.ts';

/** Port: receives the events of agent sessions. A Node `EventEmitter` qualifies. */
export interface AgentEventBus {
  emit<Name extends keyof AgentBusEvents>(
    name: Name,
    payload: AgentBusEvents[Name],
    source: { readonly sessionId: string },
  ): unknown;
}

/** Events of an agent session. */
export interface AgentBusEvents {
  /** Every event that `sendMessage` yields, in the same order, and events between turns. */
  readonly stream_event: StreamEvent;
  /** A change that stream events cannot express, such as a new block order; replaces everything emitted before. */
  readonly resync: ConversationState;
  /** The agent needs a decision; answer it with `AgentSession.answerQuestion`. */
  readonly question: Question;
  readonly question_resolved: QuestionResolution;
  readonly session_status: SessionStatus;
  readonly workspace_change: WorkspaceChange;
}
