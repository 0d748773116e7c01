import {
  type JsonSchema,
  type LiveSession,
  ObjectOutputError,
  submitForObject,
} from '@robota-sdk/agent-sdk';
import type { PromptContent } from '../live/prompt-content.ts';
import type { HeadlessWriter } from './headless-writer.ts';
import { SessionWatch } from './session-watch.ts';

/** Asks one prompt, or runs one slash command, and writes its result. */
export async function runOnce(
  session: LiveSession,
  writer: HeadlessWriter,
  { prompt, schema }: { readonly prompt: string; readonly schema?: JsonSchema | undefined },
): Promise<number> {
  const watch = new SessionWatch(session, writer);
  try {
    await watch.announce();
  } catch (error) {
    return watch.reportError(error instanceof Error ? error : new Error(String(error)));
  }
  if (schema !== undefined) return askForObject(session, watch, { prompt, schema });
  return say(session, watch, { prompt, parts: [] });
}

/** The result is the value itself, as JSON. */
async function askForObject(
  session: LiveSession,
  watch: SessionWatch,
  { prompt, schema }: { readonly prompt: string; readonly schema: JsonSchema },
): Promise<number> {
  try {
    const { object, outcome } = await submitForObject(session, prompt, { schema });
    return watch.report(outcome, object);
  } catch (error) {
    if (error instanceof ObjectOutputError && error.outcome.status === 'interrupted') {
      return watch.report(error.outcome);
    }
    return watch.reportError(error instanceof Error ? error : new Error(String(error)));
  }
}

/** A slash begins a command, as in the terminal. */
export async function say(
  session: LiveSession,
  watch: SessionWatch,
  { prompt, parts }: { readonly prompt: string; readonly parts: PromptContent['parts'] },
): Promise<number> {
  await watch.begin();
  const command = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(prompt.trim());
  if (!command) return watch.report(await session.submit(prompt, undefined, undefined, { parts }));
  const [, name = '', args = ''] = command;
  const result = await session.executeCommand(name, args);
  if (!result) return watch.reportMessage(`Unknown command "/${name}".`, false);
  return watch.reportMessage(result.message, result.success);
}
