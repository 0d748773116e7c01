import type { PermissionMode } from '@robota-sdk/agent-core';
import type {
  ConflictChoice,
  LiveAnswer,
  LiveQuestion,
  QueuedPrompt,
  RewindPreview,
  RewindScope,
} from '@robota-sdk/agent-sdk';
import type { ConversationState, StreamEvent, ToolDiff } from '@robota-sdk/agent-transcript';
import type { KeyPress } from '../keys/key.ts';
import type { Highlighter } from '../markdown/render-markdown.ts';
import type { NoteTone } from './notes.ts';
import type { ChoiceItem, PickableSession, PickerHits, SessionPreview } from './overlay.ts';
import type {
  BannerFacts,
  CommandEntry,
  ScreenState,
  ShownAgent,
  StatusFacts,
} from './screen-state.ts';
import type { CommandTask } from './work.ts';

/** Everything that can change the screen. `at` is in milliseconds since 1970. */
export type ScreenAction =
  | { readonly type: 'press'; readonly press: KeyPress; readonly at: number }
  | { readonly type: 'stream'; readonly event: StreamEvent; readonly at: number }
  /** Another conversation replaces the one shown. */
  | {
      readonly type: 'opened';
      readonly conversation: ConversationState;
      readonly session: ShownAgent;
      readonly banner: Partial<BannerFacts>;
      /** Starts on an empty screen, as after `/clear`; earlier output stays in the scrollback. */
      readonly isFresh: boolean;
    }
  /** A prompt that was not typed here, such as from the command line. */
  | { readonly type: 'prompt_given'; readonly text: string; readonly at: number }
  /** A command of this terminal has ended. */
  | { readonly type: 'task_ended'; readonly end: TaskEnd; readonly at: number }
  /** The session started a turn, possibly for another client. */
  | {
      readonly type: 'turn_began';
      readonly messageId: string | undefined;
      readonly at: number;
    }
  | { readonly type: 'turn_ended'; readonly end: TaskEnd; readonly at: number }
  /** The session will not run this prompt. */
  | {
      readonly type: 'prompt_returned';
      readonly messageId: string;
      readonly notice: string | undefined;
      readonly at: number;
    }
  /** The session's queue of prompts from all clients, next one first. */
  | {
      readonly type: 'queue_changed';
      readonly prompts: readonly QueuedPrompt[];
      readonly at: number;
    }
  /** The complete conversation after a change that events cannot express. */
  | { readonly type: 'resynced'; readonly conversation: ConversationState }
  | { readonly type: 'tick'; readonly at: number }
  | {
      readonly type: 'question_asked';
      readonly question: LiveQuestion;
      readonly diff: ToolDiff | undefined;
      readonly at: number;
    }
  /** `by`: who answered, if it was another user. */
  | {
      readonly type: 'question_resolved';
      readonly id: string;
      readonly by?: string | undefined;
      readonly at: number;
    }
  | {
      readonly type: 'trust_asked';
      readonly directory: string;
      readonly pendingSettings: readonly string[];
      readonly at: number;
    }
  /** A question was drawn and every key sent before that has arrived. */
  | { readonly type: 'question_settled'; readonly id: string }
  | { readonly type: 'picker_drawn' }
  | { readonly type: 'edit_begun'; readonly toolUseId: string; readonly diff: ToolDiff }
  | { readonly type: 'tool_printed'; readonly toolUseId: string; readonly text: string }
  | { readonly type: 'picker_opened' }
  /** A command returned a list; `text` is the same as plain text, shown while the user is typing. */
  | {
      readonly type: 'choices_offered';
      readonly title: string;
      readonly items: readonly ChoiceItem[];
      readonly text: string;
      readonly command: string;
    }
  | { readonly type: 'choices_drawn' }
  | { readonly type: 'rewind_opened' }
  /** What the list of prompts shows now is on the screen. */
  | { readonly type: 'rewind_drawn' }
  | { readonly type: 'rewind_previewed'; readonly preview: RewindPreview }
  /** The conversation was rewound to before this prompt. */
  | { readonly type: 'rewound'; readonly prompt: string }
  | {
      readonly type: 'sessions_listed';
      readonly sessions: readonly PickableSession[];
      readonly isLast: boolean;
    }
  /** Full-text hits for the picker's query. */
  | { readonly type: 'hits_found'; readonly hits: PickerHits }
  /** The preview of the session with this key. */
  | {
      readonly type: 'session_previewed';
      readonly key: string;
      readonly preview: SessionPreview;
    }
  | { readonly type: 'status'; readonly facts: Partial<StatusFacts> }
  | { readonly type: 'banner'; readonly facts: Partial<BannerFacts> }
  /** Another client answered first; `words` is the free text of our answer. */
  | { readonly type: 'answered_too_late'; readonly words: string }
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
  /** This many of the pending lines have been written. */
  | { readonly type: 'printed'; readonly count: number }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number };

/** How a task ended, as far as its blocks do not show it. */
export interface TaskEnd {
  /** Why there is no normal answer: cut off, declined, empty, stopped at a limit. */
  readonly notice?: string | undefined;
  /** Advice for the user after a failure. */
  readonly hint?: string | undefined;
  /** True for a command that never started; it returns to the editor. */
  readonly isReturned?: boolean | undefined;
  /** Total cost of the session; undefined when no price is known, absent when it was not fetched. */
  readonly costUsd?: number | undefined;
}

/** Side effects that the screen requests. */
export type ScreenEffect =
  /** Sends a prompt to the session, which queues it. */
  | {
      readonly type: 'submit';
      readonly messageId: string;
      readonly text: string;
      readonly display: string;
    }
  /** Removes a prompt from the session's queue. */
  | { readonly type: 'take_back'; readonly messageId: string }
  | { readonly type: 'run_task'; readonly task: CommandTask }
  /** A command that runs at once, even while a turn runs. */
  | {
      readonly type: 'command';
      readonly name: string;
      readonly args: string;
      readonly display: string;
    }
  | { readonly type: 'abort' }
  | { readonly type: 'answer'; readonly questionId: string; readonly answer: LiveAnswer }
  | { readonly type: 'answer_trust'; readonly trusted: boolean }
  /** Waits until the terminal has drawn the question or the list. */
  | { readonly type: 'await_drawn'; readonly id: string }
  | { readonly type: 'set_mode'; readonly mode: PermissionMode }
  | { readonly type: 'open_session'; readonly session: PickableSession; readonly fork: boolean }
  | { readonly type: 'rename_session'; readonly session: PickableSession; readonly name: string }
  | { readonly type: 'preview_session'; readonly session: PickableSession }
  | { readonly type: 'preview_rewind'; readonly to: string }
  | {
      readonly type: 'rewind';
      readonly to: string;
      readonly what: RewindScope;
      readonly conflicts: ConflictChoice;
      /** Identifies the preview that the user has seen. */
      readonly seen: string | undefined;
    }
  | { readonly type: 'undo_rewind' }
  /** Continues in a copy that ends before a prompt. */
  | { readonly type: 'fork_at'; readonly blockId: string }
  | { readonly type: 'list_sessions' }
  /** Full-text search over all sessions. */
  | { readonly type: 'search_sessions'; readonly text: string }
  | { readonly type: 'list_files' }
  | { readonly type: 'remember_prompt'; readonly prompt: string }
  /** Pushes the screen content up into the scrollback. */
  | { readonly type: 'scroll_away' }
  /** Returns the terminal to the shell until this process is in the foreground again. */
  | { readonly type: 'suspend' }
  | { readonly type: 'leave' };

export interface ScreenUpdate {
  readonly state: ScreenState;
  readonly effects: readonly ScreenEffect[];
}

export function just(state: ScreenState, ...effects: readonly ScreenEffect[]): ScreenUpdate {
  return { state, effects };
}
