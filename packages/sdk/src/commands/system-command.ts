import type { InteractiveSession } from '../interactive/interactive-session.ts';

/** What a command answers. Effects outside the session are asked for in `data`; the caller applies them. */
export interface CommandResult {
  readonly message: string;
  readonly success: boolean;
  readonly data?: Readonly<Record<string, unknown>>;
}

/** Something a person does to a session by name. */
export interface SystemCommand {
  readonly name: string;
  readonly description: string;
  execute(session: InteractiveSession, args: string): Promise<CommandResult> | CommandResult;
}
