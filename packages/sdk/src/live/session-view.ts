import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { ModelCost } from '../interactive/model-cost.ts';
import type { LiveQuestion } from './live-question.ts';
import type { LiveSessionEvents, SessionNotice } from './live-session-events.ts';
import type { SessionCapabilities } from './session-capabilities.ts';

/**
 * Port: one session to observe, whoever runs it. Reads return local state synchronously; every change is emitted as an
 * event, and folding the events gives the conversation. Every implementation passes `describeSessionView`.
 */
export interface SessionView {
  readonly sessionId: string;
  /** The agent's name as users write it: `robota`, `claude`, `codex`, `gemini` … */
  readonly agent: string;
  /** The agent's own id of the session, if it differs. */
  readonly nativeId: string | undefined;
  /** Known before the session is ready. */
  getCapabilities(): SessionCapabilities;
  on<Event extends keyof LiveSessionEvents>(event: Event, listener: LiveSessionEvents[Event]): this;
  off<Event extends keyof LiveSessionEvents>(
    event: Event,
    listener: LiveSessionEvents[Event],
  ): this;
  /** Resolves when the history is loaded; after a rejection it may be called again. */
  whenReady(): Promise<void>;
  getConversation(): ConversationState;
  /** The number of the last emitted entry; it never decreases, not even after a restart. */
  getLastSequence(): number;
  /** Stays the same as long as the sequence numbers continue. */
  getStreamEpoch(): string;
  isExecuting(): boolean;
  /** Assistant text of the running or the last turn. */
  getStreamingText(): string;
  getActiveTools(): ToolState[];
  getContextState(): ContextWindowState;
  getCosts(): Promise<ModelCost[]>;
  /** Why the session is not being saved and what to do; undefined while it is, or where another process saves it. */
  getSaveProblem(): string | undefined;
  /**
   * Notices from opening the session, for later subscribers: problems with the saved session, its settings or its
   * vault. Those emitted before any listener existed are also delivered to the first one.
   */
  getOpeningNotices(): readonly SessionNotice[];
  /** Prompts so far. */
  getMessageCount(): number;
  /** Open questions; empty where questions cannot be answered. */
  getQuestions(): readonly LiveQuestion[];
  getModel(): string | undefined;
  getPermissionMode(): PermissionMode | undefined;
  getName(): string | undefined;
  getCwd(): string | undefined;
  /** Releases everything held here; a session that is only observed goes on. */
  shutdown(options?: { readonly reason?: string | undefined }): Promise<void>;
}
