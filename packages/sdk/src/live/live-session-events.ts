import type { ContextWindowState } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';
import type { ExecutionResult, SubmitOutcome } from '../interactive/execution-result.ts';
import type { PermissionRequest, PermissionResolution } from '../interactive/permission-broker.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type { LiveQuestion, LiveResolution } from './live-question.ts';
import type { SessionChanges } from './live-session.ts';

/** What can be listened to, and with what each listener is called. The first nine are those of spec 003. */
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
  /** A question of kind `permission`, in the words of our own engine. */
  readonly permission_request: (request: PermissionRequest) => void;
  readonly permission_resolved: (resolution: PermissionResolution) => void;
  /** `sequence` is the number of the entry it comes from; events of one entry share it. */
  readonly stream_event: (event: StreamEvent, sequence: number) => void;
  readonly turn_start: (prompt: StartedPrompt) => void;
  readonly turn_end: (outcome: SubmitOutcome) => void;
  /** Any surface may answer, once, through `answer`. */
  readonly question: (question: LiveQuestion) => void;
  readonly question_resolved: (resolution: LiveResolution) => void;
  /** What waits now, the next one first. */
  readonly queue: (prompts: readonly QueuedPrompt[]) => void;
  /** Facts that changed, with their new values. */
  readonly state: (changed: ChangedFacts) => void;
  /** Something a person should know that is no failure of a turn. */
  readonly notice: (notice: SessionNotice) => void;
  /** The conversation was replaced by a summary. */
  readonly compact: (compaction: CompactionNotice) => void;
  /** Something changed that events cannot tell: this replaces all that was told before. */
  readonly resync: (conversation: ConversationState) => void;
}

/** A prompt that is being answered from now on. */
export interface StartedPrompt {
  readonly content: string;
  readonly user?: string | undefined;
  readonly messageId?: string | undefined;
}

/** What about a session has changed. */
export interface ChangedFacts extends SessionChanges {
  readonly access?: 'drive' | 'lost' | undefined;
  readonly nativeId?: string | undefined;
}

/** Something a person should know that is no failure of a turn. */
export interface SessionNotice {
  /** `not_saved`, `settings`, `context`, `restore`, `listener` … */
  readonly kind: string;
  readonly message: string;
}

/** That a conversation was replaced by a summary, and what room that made. */
export interface CompactionNotice {
  readonly trigger: 'manual' | 'auto';
  readonly before: ContextWindowState;
  readonly after: ContextWindowState;
}
