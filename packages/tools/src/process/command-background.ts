import type { SandboxRunResult } from '@robota-sdk/agent-core';

/** A command that is allowed and ready to run. */
export interface ReadyCommand {
  readonly command: string;
  /** Runs it, once. */
  readonly run: (scope: CommandScope) => Promise<SandboxRunResult>;
}

/** How long a command may take, who stops it, and who hears what it prints. */
export interface CommandScope {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput: (text: string) => void;
}

/** A command went on without the one who waited for it; `text` says how to read what it writes. */
export interface MovedCommand {
  readonly text: string;
}

/**
 * Port: where commands run that nobody waits for. Whatever it starts ends with the session at the latest. Every
 * implementation passes `describeCommandBackground`.
 */
export interface CommandBackground {
  /** Starts a command and returns at once. Throws when there is no room for another. */
  start(command: ReadyCommand): MovedCommand;
  /** Waits for a command, or until somebody moves it to the background; its signal and timeout then count no more. */
  wait(command: ReadyCommand, scope: CommandScope): Promise<SandboxRunResult | MovedCommand>;
}
