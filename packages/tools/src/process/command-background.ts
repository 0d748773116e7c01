import type { SandboxRunResult } from '@robota-sdk/agent-core';

/** A command that is allowed and ready to run. */
export interface ReadyCommand {
  readonly command: string;
  /** Runs it; call only once. */
  readonly run: (scope: CommandScope) => Promise<SandboxRunResult>;
}

/** The timeout, abort signal and output listener of a command. */
export interface CommandScope {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly onOutput: (text: string) => void;
}

/** A command was moved to the background; `text` says how to read its output. */
export interface MovedCommand {
  readonly text: string;
}

/**
 * Port: runs background commands. Everything it starts ends with the session at the latest. Every implementation passes
 * `describeCommandBackground`.
 */
export interface CommandBackground {
  /** Starts a command and returns at once; throws when too many are running. */
  start(command: ReadyCommand): MovedCommand;
  /** Waits for a command, or until it is moved to the background; its signal and timeout then no longer apply. */
  wait(command: ReadyCommand, scope: CommandScope): Promise<SandboxRunResult | MovedCommand>;
}
