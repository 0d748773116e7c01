import type { PermissionMode } from '@robota-sdk/agent-core';
import type { CommandSource } from '../commands/command.ts';
import type { CommandResult } from '../commands/system-command.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { SubmitOptions } from '../interactive/options.ts';
import type { QueuedPrompt } from '../interactive/prompt-queue.ts';
import type {
  RewindOptions,
  RewindPreview,
  RewindResult,
  UndoRewindOptions,
} from '../rewind/rewind.ts';
import type { LiveAnswer } from './live-question.ts';
import type { SessionView } from './session-view.ts';

/**
 * Port: one session to drive, wherever its agent runs. Everything that changes something returns a promise. What
 * the capabilities say it cannot do rejects with code `not_supported`. Every implementation passes
 * `describeLiveSession`.
 */
export interface LiveSession extends SessionView {
  /** `lost`: somebody else took the session over; prompts are refused from then on. */
  readonly access: 'drive' | 'lost';
  /** Never rejects because a turn failed; rejects with `session_closed` after `shutdown`. */
  submit(
    input: string,
    displayInput?: string,
    rawInput?: string,
    options?: SubmitOptions,
  ): Promise<SubmitOutcome>;
  /** Resolves when nothing of the turn runs any more; open questions are denied, the queue is emptied. */
  abort(): Promise<void>;
  /** Takes everything back that waits, or the one prompt with this message id; what runs goes on. */
  cancelQueue(messageId?: string): Promise<void>;
  /** Prompts that wait, the next one first. */
  getQueue(): readonly QueuedPrompt[];
  /** The first answer counts; false when the question is unknown or was answered before. */
  answer(
    questionId: string,
    answer: LiveAnswer,
    options?: { readonly user?: string | undefined },
  ): Promise<boolean>;
  change(changes: SessionChanges): Promise<void>;
  /** Null when there is no such command. What the command changes has been changed when it resolves. */
  executeCommand(name: string, args?: string): Promise<CommandResult | null>;
  listCommands(): { readonly name: string; readonly description: string }[];
  /** Names of the tools, where the agent says them. */
  listTools(): string[];
  getCommandSources(): readonly CommandSource[];
  compact(instructions?: string): Promise<void>;
  /** A copy under a new id, which goes on by itself. */
  fork(options?: ForkOptions): Promise<LiveSession>;
  /** What going back to before a prompt would do to files; changes nothing. */
  previewRewind(to: string): Promise<RewindPreview>;
  /** Goes back to before a prompt. Rejects with `rewind_conflict` where a person has to choose. */
  rewind(options: RewindOptions): Promise<RewindResult>;
  /** Takes the latest rewind back; rejects with `nothing_to_undo`. */
  undoRewind(options?: UndoRewindOptions): Promise<RewindResult>;
}

/** Where a copy begins and what it is called. */
export interface ForkOptions {
  readonly sessionId?: string | undefined;
  /** The block that it ends with: before it where it is a prompt, else after it. The end when left out. */
  readonly at?: string | undefined;
}

/** What may be changed about a live session. */
export interface SessionChanges {
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly name?: string | undefined;
  readonly language?: string | undefined;
}
