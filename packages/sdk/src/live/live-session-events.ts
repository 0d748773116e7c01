import type { ContextWindowState } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';
import type { ExecutionResult, SubmitOutcome } from '../interactive/execution-result.ts';
import type { PermissionRequest, PermissionResolution } from '../interactive/permission-broker.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { LiveQuestion, LiveResolution } from './live-question.ts';
import type { SessionChanges } from './live-session.ts';

/** Events and the listeners' parameters. The first nine are those of spec 003. */
export interface LiveSessionEvents {
  readonly text_delta: (delta: string) => void;
  readonly tool_start: (state: ToolState) => void;
  readonly tool_end: (state: ToolState) => void;
  readonly thinking: (isThinking: boolean) => void;
  readonly complete: (result: ExecutionResult) => void;
  readonly error: (error: Error) => void;
  readonly context_update: (state: ContextWindowState) => void;
  readonly interrupted: (result: ExecutionResult) => void;
  readonly user_message: (content: string) => void;
  /** A question of kind `permission`, in our own engine's format. */
  readonly permission_request: (request: PermissionRequest) => void;
  readonly permission_resolved: (resolution: PermissionResolution) => void;
  /** `sequence` is the number of the entry it comes from; events of one entry share it. */
  readonly stream_event: (event: StreamEvent, sequence: number) => void;
  readonly turn_start: (prompt: StartedPrompt) => void;
  readonly turn_end: (outcome: SubmitOutcome) => void;
  /** Any surface may answer, once, through `answer`. */
  readonly question: (question: LiveQuestion) => void;
  readonly question_resolved: (resolution: LiveResolution) => void;
  /** Queued prompts, the next one first. */
  readonly queue: (prompts: readonly QueuedPrompt[]) => void;
  /** Fields that changed, with their new values. */
  readonly state: (changed: ChangedFacts) => void;
  /** Something the user should know that is not a failed turn. */
  readonly notice: (notice: SessionNotice) => void;
  /** The conversation was replaced by a summary. */
  readonly compact: (compaction: CompactionNotice) => void;
  /** A change that stream events cannot express: this replaces everything emitted before. */
  readonly resync: (conversation: ConversationState) => void;
}

/** A prompt whose turn has started. */
export interface StartedPrompt {
  readonly content: string;
  readonly user?: string | undefined;
  readonly messageId?: string | undefined;
}

/** Changed properties of a live session. */
export interface ChangedFacts extends SessionChanges {
  readonly access?: 'drive' | 'lost' | undefined;
  readonly nativeId?: string | undefined;
}

/** Something the user should know that is not a failed turn. */
export interface SessionNotice {
  /** `not_saved`, `settings`, `context`, `restore`, `listener` … */
  readonly kind: string;
  readonly message: string;
}

/** A compaction, with the context window before and after. */
export interface CompactionNotice {
  readonly trigger: 'manual' | 'auto';
  readonly before: ContextWindowState;
  readonly after: ContextWindowState;
}
