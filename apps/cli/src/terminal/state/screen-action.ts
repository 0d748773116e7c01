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
  SessionFacts,
  StatusFacts,
} from './screen-state.ts';
import type { CommandTask } from './work.ts';

/** What can happen to the screen. `at` is in milliseconds since 1970. */
export type ScreenAction =
  | { readonly type: 'press'; readonly press: KeyPress; readonly at: number }
  | { readonly type: 'stream'; readonly event: StreamEvent; readonly at: number }
  /** Another conversation takes the place of the one shown. */
  | {
      readonly type: 'opened';
      readonly conversation: ConversationState;
      readonly session: SessionFacts;
      readonly banner: Partial<BannerFacts>;
      /** Begins on an empty screen, as after `/clear`; what was there stays above it. */
      readonly isFresh: boolean;
    }
  /** A prompt that nobody typed here, as from the command line. */
  | { readonly type: 'prompt_given'; readonly text: string; readonly at: number }
  /** A command of this terminal has ended. */
  | { readonly type: 'task_ended'; readonly end: TaskEnd; readonly at: number }
  /** The session begins a turn, whoever asked for it. */
  | {
      readonly type: 'turn_began';
      readonly messageId: string | undefined;
      readonly at: number;
    }
  | { readonly type: 'turn_ended'; readonly end: TaskEnd; readonly at: number }
  /** The session did not begin this prompt and will not. */
  | {
      readonly type: 'prompt_returned';
      readonly messageId: string;
      readonly notice: string | undefined;
      readonly at: number;
    }
  /** What waits in the session, whoever sent it, the next one first. */
  | { readonly type: 'queue_told'; readonly prompts: readonly QueuedPrompt[]; readonly at: number }
  /** The conversation as it is after something that events could not tell. */
  | { readonly type: 'resynced'; readonly conversation: ConversationState }
  | { readonly type: 'tick'; readonly at: number }
  | {
      readonly type: 'question_asked';
      readonly question: LiveQuestion;
      readonly diff: ToolDiff | undefined;
      readonly at: number;
    }
  /** `by`: who answered, where it was somebody else. */
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
  /** A question was drawn, and every key sent before that has arrived. */
  | { readonly type: 'question_settled'; readonly id: string }
  | { readonly type: 'picker_drawn' }
  | { readonly type: 'edit_begun'; readonly toolUseId: string; readonly diff: ToolDiff }
  | { readonly type: 'tool_printed'; readonly toolUseId: string; readonly text: string }
  | { readonly type: 'picker_opened' }
  /** A command answered with a list; `text` says the same in words, for whoever is writing meanwhile. */
  | {
      readonly type: 'choices_offered';
      readonly title: string;
      readonly items: readonly ChoiceItem[];
      readonly text: string;
      readonly command: string;
    }
  | { readonly type: 'choices_drawn' }
  | { readonly type: 'rewind_opened' }
  | { readonly type: 'rewind_previewed'; readonly preview: RewindPreview }
  /** The conversation is back to before this prompt. */
  | { readonly type: 'rewound'; readonly prompt: string }
  | {
      readonly type: 'sessions_listed';
      readonly sessions: readonly PickableSession[];
      readonly isLast: boolean;
    }
  /** Where the words of the picker were said. */
  | { readonly type: 'hits_found'; readonly hits: PickerHits }
  /** What was said last in the session with this key. */
  | {
      readonly type: 'session_previewed';
      readonly key: string;
      readonly preview: SessionPreview;
    }
  | { readonly type: 'status'; readonly facts: Partial<StatusFacts> }
  | { readonly type: 'banner'; readonly facts: Partial<BannerFacts> }
  /** An answer that was sent came after somebody else's; `words` is what was written in it. */
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
  /** That many of the items to print have been written. */
  | { readonly type: 'printed'; readonly count: number }
  | { readonly type: 'resized'; readonly columns: number; readonly rows: number };

/** How a task ended, as far as the blocks do not tell. */
export interface TaskEnd {
  /** Why an answer is no usual one: cut off, declined, empty, stopped at a limit. */
  readonly notice?: string | undefined;
  /** What can be done about a failure. */
  readonly hint?: string | undefined;
  /** True for a command that never began; it goes back to the editor. */
  readonly isReturned?: boolean | undefined;
  /** What the session has cost; undefined where no price is known, left out where it was not asked. */
  readonly costUsd?: number | undefined;
}

/** What the screen asks the world to do. */
export type ScreenEffect =
  /** Gives a prompt to the session, which lets it wait its turn. */
  | {
      readonly type: 'submit';
      readonly messageId: string;
      readonly text: string;
      readonly display: string;
    }
  /** Takes a prompt back that waits in the session. */
  | { readonly type: 'take_back'; readonly messageId: string }
  | { readonly type: 'run_task'; readonly task: CommandTask }
  /** A command that answers at once, whatever runs. */
  | {
      readonly type: 'command';
      readonly name: string;
      readonly args: string;
      readonly display: string;
    }
  | { readonly type: 'abort' }
  | { readonly type: 'answer'; readonly questionId: string; readonly answer: LiveAnswer }
  | { readonly type: 'answer_trust'; readonly trusted: boolean }
  /** Asks the terminal when the question or the list has been drawn. */
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
      /** Of the preview that the person looked at. */
      readonly seen: string | undefined;
    }
  | { readonly type: 'undo_rewind' }
  /** Goes on in a copy that ends before a prompt. */
  | { readonly type: 'fork_at'; readonly blockId: string }
  | { readonly type: 'list_sessions' }
  /** Looks for words in what was said in sessions. */
  | { readonly type: 'search_sessions'; readonly text: string }
  | { readonly type: 'list_files' }
  | { readonly type: 'remember_prompt'; readonly prompt: string }
  /** Pushes what is on the screen up into the scrollback. */
  | { readonly type: 'scroll_away' }
  /** Gives the terminal back to the shell until it is called to the foreground again. */
  | { readonly type: 'suspend' }
  | { readonly type: 'leave' };

export interface ScreenUpdate {
  readonly state: ScreenState;
  readonly effects: readonly ScreenEffect[];
}

export function just(state: ScreenState, ...effects: readonly ScreenEffect[]): ScreenUpdate {
  return { state, effects };
}
