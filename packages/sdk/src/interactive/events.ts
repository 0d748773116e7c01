import type { ContextWindowState } from '@robota-sdk/agent-core';
import type { ToolState } from '@robota-sdk/agent-core/log';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { ExecutionResult } from './execution-result.ts';
import type { PermissionRequest, PermissionResolution } from './permission-broker.ts';

/** What a client can listen to, and with what each listener is called. */
export interface InteractiveSessionEvents {
  readonly text_delta: (delta: string) => void;
  readonly tool_start: (state: ToolState) => void;
  readonly tool_end: (state: ToolState) => void;
  readonly thinking: (isThinking: boolean) => void;
  readonly complete: (result: ExecutionResult) => void;
  readonly error: (error: Error) => void;
  readonly context_update: (state: ContextWindowState) => void;
  readonly interrupted: (result: ExecutionResult) => void;
  readonly user_message: (content: string) => void;
  /** Any surface may answer, once, through `answerPermission`. */
  readonly permission_request: (request: PermissionRequest) => void;
  readonly permission_resolved: (resolution: PermissionResolution) => void;
  /** `sequence` rises by one with every event of this session object, from 1. */
  readonly stream_event: (event: StreamEvent, sequence: number) => void;
  /** Something a person should know that is no failure of a turn. */
  readonly notice: (notice: SessionNotice) => void;
  /** The conversation was replaced by a summary. */
  readonly compact: (compaction: CompactionNotice) => void;
}

export interface SessionNotice {
  /** `not_saved`, `settings`, `context`, `restore`, `listener` … */
  readonly kind: string;
  readonly message: string;
}

export interface CompactionNotice {
  readonly trigger: 'manual' | 'auto';
  readonly before: ContextWindowState;
  readonly after: ContextWindowState;
}
