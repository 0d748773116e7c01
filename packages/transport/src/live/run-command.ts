import type { CommandResult, InteractiveSession } from '@robota-sdk/agent-sdk';
import { WireError } from './wire-error.ts';

/** Runs a command and applies what it asks of its caller: a model, a language, a name. */
export async function runCommand(
  session: InteractiveSession,
  name: string,
  args = '',
): Promise<CommandResult> {
  const result = await session.executeCommand(name, args);
  if (!result) throw new WireError('unknown_command', `Unknown command: ${name}`);
  const { modelId, language, name: sessionName } = result.data ?? {};
  if (typeof modelId === 'string') session.setModel(modelId);
  if (typeof language === 'string') session.setLanguage(language);
  if (name === 'rename' && typeof sessionName === 'string') session.setName(sessionName);
  return result;
}
