import { isAbortError } from '@robota-sdk/agent-session';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript/blocks';
import type { SystemCommandExecutor } from '../commands/command-executor.ts';
import type { CommandResult } from '../commands/system-command.ts';
import type { InteractiveSession } from './interactive-session.ts';

/** Commands that change the conversation and so wait until nothing runs. */
const NEEDS_QUIET = ['clear', 'compact', 'rewind', 'uncompact', 'pin', 'unpin'];

interface CommandRunnerParts {
  readonly commands: SystemCommandExecutor;
  readonly session: InteractiveSession;
  isExecuting(): boolean;
  /** Makes sure that a command of an extension is known, where extensions may bring one of this name. */
  find(name: string): Promise<void>;
}

/** Runs a command for a person. Null when there is none of that name; one that throws has failed. */
export async function runCommand(
  name: string,
  args: string,
  { commands, session, isExecuting, find }: CommandRunnerParts,
): Promise<CommandResult | null> {
  if (NEEDS_QUIET.includes(name) && isExecuting()) {
    const message = 'Another prompt or command is already running. Wait for it to finish.';
    return { success: false, message };
  }
  try {
    await find(name);
    const result = await commands.execute(name, session, args);
    // Words of tools, files and servers are among what a command says.
    return result && { ...result, message: neutraliseEscapes(result.message) };
  } catch (error) {
    if (isAbortError(error)) return { success: false, message: 'Stopped.' };
    return { success: false, message: error instanceof Error ? error.message : String(error) };
  }
}
