import type { WorkspaceChange } from '../agent-sandbox/workspace-watch.ts';
import type { SessionStatus } from '../session-data.ts';
import type { StreamEvent } from '../stream-events.ts';

/** Port: told what happens in agent sessions. An `EventEmitter` of Node is one. */
export interface AgentEventBus {
  emit<Name extends keyof AgentBusEvents>(
    name: Name,
    payload: AgentBusEvents[Name],
    source: { readonly sessionId: string },
  ): unknown;
}

export interface AgentBusEvents {
  /** Every event that `sendMessage` yields, in the same order. */
  readonly stream_event: StreamEvent;
  readonly session_status: SessionStatus;
  readonly workspace_change: WorkspaceChange;
}
