import type { CommandResult, LiveSession } from '@robota-sdk/agent-sdk';
import { WireError } from './wire-error.ts';

/** Runs a command and applies what it asks of its caller: a model, a language, a name. */
export async function runCommand(
  session: LiveSession,
  name: string,
  args = '',
): Promise<CommandResult> {
  const result = await session.executeCommand(name, args);
  if (!result) throw new WireError('unknown_command', `Unknown command: ${name}`);
  const { modelId, language, name: sessionName } = result.data ?? {};
  await session.change({
    model: typeof modelId === 'string' ? modelId : undefined,
    language: typeof language === 'string' ? language : undefined,
    name: name === 'rename' && typeof sessionName === 'string' ? sessionName : undefined,
  });
  return result;
}
