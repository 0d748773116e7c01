import {
  type JsonSchema,
  type LiveSession,
  ObjectOutputError,
  submitForObject,
} from '@robota-sdk/agent-sdk';
import type { PromptContent } from '../live/prompt-content.ts';
import { EventForwarder } from './event-forwarder.ts';
import type { HeadlessWriter } from './headless-writer.ts';

/** Runs one prompt or slash command and writes its result. */
export async function runOnce(
  session: LiveSession,
  writer: HeadlessWriter,
  { prompt, schema }: { readonly prompt: string; readonly schema?: JsonSchema | undefined },
): Promise<number> {
  const watch = new EventForwarder(session, writer);
  try {
    await watch.announce();
  } catch (error) {
    return watch.reportError(error instanceof Error ? error : new Error(String(error)));
  }
  if (schema !== undefined) return askForObject(session, watch, { prompt, schema });
  return submitInput(session, watch, { prompt, parts: [] });
}

/** Writes the structured answer as JSON. */
async function askForObject(
  session: LiveSession,
  watch: EventForwarder,
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

/** Input that starts with a slash is a command, as in the terminal. */
export async function submitInput(
  session: LiveSession,
  watch: EventForwarder,
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
