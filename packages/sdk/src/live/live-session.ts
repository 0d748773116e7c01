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
 * Port: one session to drive, wherever its agent runs. Every method that changes something returns a promise; one that
 * the capabilities exclude rejects with code `not_supported`. Every implementation passes `describeLiveSession`.
 */
export interface LiveSession extends SessionView {
  /** `lost`: another process took the session over; prompts are refused from then on. */
  readonly access: 'drive' | 'lost';
  /** Never rejects because a turn failed; rejects with `session_closed` after `shutdown`. */
  submit(
    input: string,
    displayInput?: string,
    rawInput?: string,
    options?: SubmitOptions,
  ): Promise<SubmitOutcome>;
  /** Resolves when the turn has stopped; open questions are denied and the queue is emptied. */
  abort(): Promise<void>;
  /** Removes all queued prompts, or the one with this message id; the running turn goes on. */
  cancelQueue(messageId?: string): Promise<void>;
  /** Queued prompts, the next one first. */
  getQueue(): readonly QueuedPrompt[];
  /** The first answer counts; false when the question is unknown or was answered before. */
  answer(
    questionId: string,
    answer: LiveAnswer,
    options?: { readonly user?: string | undefined },
  ): Promise<boolean>;
  change(changes: SessionChanges): Promise<void>;
  /** Null when there is no such command. Its changes are applied when it resolves. */
  executeCommand(name: string, args?: string): Promise<CommandResult | null>;
  listCommands(): { readonly name: string; readonly description: string }[];
  /** Tool names; empty for agents that do not report them. */
  listTools(): string[];
  getCommandSources(): readonly CommandSource[];
  compact(instructions?: string): Promise<void>;
  /** An independent copy under a new id. */
  fork(options?: ForkOptions): Promise<LiveSession>;
  /** What rewinding to before a prompt would do to files; changes nothing. */
  previewRewind(to: string): Promise<RewindPreview>;
  /** Goes back to before a prompt. Rejects with `rewind_conflict` where the user has to choose. */
  rewind(options: RewindOptions): Promise<RewindResult>;
  /** Undoes the latest rewind; rejects with `nothing_to_undo`. */
  undoRewind(options?: UndoRewindOptions): Promise<RewindResult>;
}

/** The id of a fork and the block it ends at. */
export interface ForkOptions {
  readonly sessionId?: string | undefined;
  /** The block to fork at: before it if it is a prompt, else after it. The end by default. */
  readonly at?: string | undefined;
}

/** Settings of a live session that can change. */
export interface SessionChanges {
  readonly model?: string | undefined;
  readonly permissionMode?: PermissionMode | undefined;
  readonly name?: string | undefined;
  readonly language?: string | undefined;
}
