import type { CommandResult, LiveSession } from '@robota-sdk/agent-sdk';
import { WireError } from './wire-error.ts';

/** Runs a command; unknown ones are refused. */
export async function runSessionCommand(
  session: LiveSession,
  name: string,
  args = '',
): Promise<CommandResult> {
  const result = await session.executeCommand(name, args);
  if (!result) throw new WireError('unknown_command', `Unknown command: ${name}`);
  return result;
}
