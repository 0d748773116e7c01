import type { PermissionMode } from '@robota-sdk/agent-core';
import type { PermissionAnswer, PermissionRequest } from '@robota-sdk/agent-sdk';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';
import type { KeyPress } from '../keys/key.ts';
import type { Highlighter } from '../markdown/render-markdown.ts';
import type { PickableSession } from './overlay.ts';
import type { CommandEntry, ScreenState, StatusFacts } from './screen-state.ts';

/** What can happen to the screen. */
export type ScreenAction =
  | { readonly type: 'press'; readonly press: KeyPress }
  | { readonly type: 'stream'; readonly event: StreamEvent }
  /** Another conversation takes the place of the one shown. */
  | { readonly type: 'opened'; readonly conversation: ConversationState }
  | { readonly type: 'busy'; readonly isBusy: boolean }
  | { readonly type: 'queued'; readonly prompt: string | undefined }
  | { readonly type: 'permission_asked'; readonly request: PermissionRequest }
  | { readonly type: 'permission_resolved'; readonly requestId: string }
  | { readonly type: 'trust_asked'; readonly directory: string; readonly wishes: readonly string[] }
  | { readonly type: 'picker_opened' }
  | {
      readonly type: 'sessions_listed';
      readonly sessions: readonly PickableSession[];
      readonly isLast: boolean;
    }
  | { readonly type: 'status'; readonly facts: Partial<StatusFacts> }
  | { readonly type: 'notice'; readonly message: string | undefined }
  | { readonly type: 'commands_listed'; readonly commands: readonly CommandEntry[] }
  | { readonly type: 'files_listed'; readonly files: readonly string[] }
  /** Prompts of earlier sessions, oldest first. */
  | { readonly type: 'prompts_loaded'; readonly prompts: readonly string[] }
  | { readonly type: 'highlighter_loaded'; readonly highlight: Highlighter }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number };

/** What the screen asks the world to do. */
export type ScreenEffect =
  | { readonly type: 'submit'; readonly text: string; readonly display: string }
  | { readonly type: 'command'; readonly name: string; readonly args: string }
  | { readonly type: 'abort' }
  | { readonly type: 'cancel_queue' }
  | {
      readonly type: 'answer_permission';
      readonly requestId: string;
      readonly answer: PermissionAnswer;
    }
  | { readonly type: 'answer_trust'; readonly trusted: boolean }
  | { readonly type: 'set_mode'; readonly mode: PermissionMode }
  | { readonly type: 'open_session'; readonly session: PickableSession; readonly fork: boolean }
  | { readonly type: 'list_sessions' }
  | { readonly type: 'list_files' }
  | { readonly type: 'remember_prompt'; readonly prompt: string }
  | { readonly type: 'clear_screen' }
  | { readonly type: 'leave' };

export interface ScreenUpdate {
  readonly state: ScreenState;
  readonly effects: readonly ScreenEffect[];
}

export function just(state: ScreenState, ...effects: readonly ScreenEffect[]): ScreenUpdate {
  return { state, effects };
}
