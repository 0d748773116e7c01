import type { InteractiveSession } from '../interactive/interactive-session.ts';

/** The result of a command. Effects outside the session are requested in `data`; the caller applies them. */
export interface CommandResult {
  readonly message: string;
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** An operation on a session that a user invokes by name. */
export interface SystemCommand {
  readonly name: string;
  readonly description: string;
  execute(session: InteractiveSession, args: string): Promise<CommandResult> | CommandResult;
}
