import type { PermissionMode } from '@robota-sdk/agent-core';
import type { PermissionAnswer, PermissionRequest } from '@robota-sdk/agent-sdk';
import type { ConversationState, StreamEvent, ToolDiff } from '@robota-sdk/agent-transcript';
import type { KeyPress } from '../keys/key.ts';
import type { Highlighter } from '../markdown/render-markdown.ts';
import type { NoteTone } from './notes.ts';
import type { PickableSession } from './overlay.ts';
import type { BannerFacts, CommandEntry, ScreenState, StatusFacts } from './screen-state.ts';
import type { Task } from './work.ts';

/** What can happen to the screen. `at` is in milliseconds since 1970. */
export type ScreenAction =
  | { readonly type: 'press'; readonly press: KeyPress; readonly at: number }
  | { readonly type: 'stream'; readonly event: StreamEvent; readonly at: number }
  /** Another conversation takes the place of the one shown. */
  | {
      readonly type: 'opened';
      readonly conversation: ConversationState;
      readonly banner: Partial<BannerFacts>;
      /** Begins on an empty screen, as after `/clear`; what was there stays above it. */
      readonly isFresh: boolean;
    }
  /** A prompt that nobody typed here, as from the command line. */
  | { readonly type: 'prompt_given'; readonly text: string; readonly at: number }
  | { readonly type: 'task_ended'; readonly end: TaskEnd; readonly at: number }
  /** The session began or ended a turn, whoever asked for it. */
  | { readonly type: 'session_busy'; readonly isBusy: boolean; readonly at: number }
  | { readonly type: 'tick'; readonly at: number }
  | {
      readonly type: 'permission_asked';
      readonly request: PermissionRequest;
      readonly diff: ToolDiff | undefined;
      readonly at: number;
    }
  | { readonly type: 'permission_resolved'; readonly requestId: string; readonly at: number }
  | {
      readonly type: 'trust_asked';
      readonly directory: string;
      readonly wishes: readonly string[];
      readonly at: number;
    }
  /** A question was drawn, and every key sent before that has arrived. */
  | { readonly type: 'question_settled'; readonly id: string }
  | { readonly type: 'picker_drawn' }
  | { readonly type: 'edit_begun'; readonly toolUseId: string; readonly diff: ToolDiff }
  | { readonly type: 'tool_printed'; readonly toolUseId: string; readonly text: string }
  | { readonly type: 'picker_opened' }
  | {
      readonly type: 'sessions_listed';
      readonly sessions: readonly PickableSession[];
      readonly isLast: boolean;
    }
  | { readonly type: 'status'; readonly facts: Partial<StatusFacts> }
  | { readonly type: 'banner'; readonly facts: Partial<BannerFacts> }
  | {
      readonly type: 'note';
      readonly text: string;
      readonly tone: NoteTone;
      readonly command?: string | undefined;
    }
  | { readonly type: 'commands_listed'; readonly commands: readonly CommandEntry[] }
  | { readonly type: 'files_listed'; readonly files: readonly string[] }
  /** Prompts of earlier sessions, oldest first. */
  | { readonly type: 'prompts_loaded'; readonly prompts: readonly string[] }
  | { readonly type: 'highlighter_loaded'; readonly highlight: Highlighter }
  | { readonly type: 'background_known'; readonly background: 'dark' | 'light' }
  /** That many of the items to print have been written. */
  | { readonly type: 'printed'; readonly count: number }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number };

/** How a task ended, as far as the blocks do not tell. */
export interface TaskEnd {
  /** Why an answer is no usual one: cut off, declined, empty, stopped at a limit. */
  readonly notice?: string | undefined;
  /** What can be done about a failure. */
  readonly hint?: string | undefined;
  /** True when it never began; it goes back to the editor. */
  readonly isReturned?: boolean | undefined;
  /** What the session has cost; undefined where no price is known, left out where it was not asked. */
  readonly costUsd?: number | undefined;
}

/** What the screen asks the world to do. */
export type ScreenEffect =
  | { readonly type: 'run_task'; readonly task: Task }
  /** A command that answers at once, whatever runs. */
  | {
      readonly type: 'command';
      readonly name: string;
      readonly args: string;
      readonly display: string;
    }
  | { readonly type: 'abort' }
  | {
      readonly type: 'answer_permission';
      readonly requestId: string;
      readonly answer: PermissionAnswer;
    }
  | { readonly type: 'answer_trust'; readonly trusted: boolean }
  /** Asks the terminal when the question or the list has been drawn. */
  | { readonly type: 'await_drawn'; readonly id: string }
  | { readonly type: 'set_mode'; readonly mode: PermissionMode }
  | { readonly type: 'open_session'; readonly session: PickableSession; readonly fork: boolean }
  | { readonly type: 'rename_session'; readonly session: PickableSession; readonly name: string }
  | { readonly type: 'list_sessions' }
  | { readonly type: 'list_files' }
  | { readonly type: 'remember_prompt'; readonly prompt: string }
  /** Pushes what is on the screen up into the scrollback. */
  | { readonly type: 'scroll_away' }
  | { readonly type: 'leave' };

export interface ScreenUpdate {
  readonly state: ScreenState;
  readonly effects: readonly ScreenEffect[];
}

export function just(state: ScreenState, ...effects: readonly ScreenEffect[]): ScreenUpdate {
  return { state, effects };
}
