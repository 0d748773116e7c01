import { isAbortError } from '@robota-sdk/agent-session';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript/blocks';
import type { SystemCommandExecutor } from '../commands/command-executor.ts';
import type { CommandResult } from '../commands/system-command.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** Commands that change the conversation and are refused while something runs. */
const NEEDS_IDLE = ['clear', 'compact', 'rewind', 'uncompact', 'pin', 'unpin'];

interface CommandRunnerParts {
  readonly commands: SystemCommandExecutor;
  readonly session: InteractiveSession;
  isExecuting(): boolean;
  /** Loads the extensions if one of them may provide this command. */
  find(name: string): Promise<void>;
}

/** Runs a user's command. Null when there is no such command; an exception becomes a failed result. */
export async function runSystemCommand(
  name: string,
  args: string,
  { commands, session, isExecuting, find }: CommandRunnerParts,
): Promise<CommandResult | null> {
  if (NEEDS_IDLE.includes(name) && isExecuting()) {
    const message = 'Another prompt or command is already running. Wait for it to finish.';
    return { success: false, message };
  }
  try {
    await find(name);
    const result = await commands.execute(name, session, args);
    // The message may quote tools, files and servers.
    return result && { ...result, message: neutraliseEscapes(result.message) };
  } catch (error) {
    if (isAbortError(error)) return { success: false, message: 'Stopped.' };
    return { success: false, message: error instanceof Error ? error.message : String(error) };
  }
}
