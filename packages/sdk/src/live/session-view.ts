import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { ConversationState } from '@robota-sdk/agent-transcript';
import type { ModelCost } from '../interactive/model-cost.ts';
import type { LiveQuestion } from './live-question.ts';
import type { LiveSessionEvents, SessionNotice } from './live-session-events.ts';
import type { SessionCapabilities } from './session-capabilities.ts';

/**
 * Port: one session to look at, whoever runs it. Reads are answered at once from what is known here; events tell
 * every change of it, and the conversation is what the events fold to. Every implementation passes
 * `describeSessionView`.
 */
export interface SessionView {
  readonly sessionId: string;
  /** What people call the agent: `robota`, `claude`, `codex`, `gemini` … */
  readonly agent: string;
  /** The agent's own id of the session, where it chose another. */
  readonly nativeId: string | undefined;
  /** Known before the session is ready. */
  getCapabilities(): SessionCapabilities;
  on<Event extends keyof LiveSessionEvents>(event: Event, listener: LiveSessionEvents[Event]): this;
  off<Event extends keyof LiveSessionEvents>(
    event: Event,
    listener: LiveSessionEvents[Event],
  ): this;
  /** Resolves when the past is known; rejects when it cannot be, and may be called again. */
  whenReady(): Promise<void>;
  getConversation(): ConversationState;
  /** The number of the last entry that events told of; it never falls, also after a restart. */
  getLastSequence(): number;
  /** Stays the same as long as the numbers are continued. */
  getStreamEpoch(): string;
  isExecuting(): boolean;
  /** What has been said in the running or the last turn. */
  getStreamingText(): string;
  getActiveTools(): ToolState[];
  getContextState(): ContextWindowState;
  getCosts(): Promise<ModelCost[]>;
  /** Why what happens here is not being saved, with what to do; undefined while it is, or where others save. */
  getSaveProblem(): string | undefined;
  /**
   * What was told while it was opened, for those who come later: what is wrong with the saved session, its settings or
   * its vault. Of notices that nobody heard, the first who listens to them hears too.
   */
  getOpeningNotices(): readonly SessionNotice[];
  /** Prompts so far. */
  getMessageCount(): number;
  /** What somebody has to decide; empty where questions cannot be answered. */
  getQuestions(): readonly LiveQuestion[];
  getModel(): string | undefined;
  getPermissionMode(): PermissionMode | undefined;
  getName(): string | undefined;
  getCwd(): string | undefined;
  /** Lets go of everything held here; what is only looked at goes on. */
  shutdown(options?: { readonly reason?: string | undefined }): Promise<void>;
}
