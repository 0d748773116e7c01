import { readFileSync } from 'node:fs';
import type { JsonSchema } from '@robota-sdk/agent-sdk';
import { createHeadlessTransport } from '@robota-sdk/agent-transport/headless';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { openCommandSession } from './open-session.ts';
import { readStdin } from './read-stdin.ts';

/** `robota -p`: one prompt, or a conversation on stdin, without a terminal. `piped` is the text of stdin if it was already read. */
export async function runPrint(
  options: RunArguments,
  output: Output,
  piped?: string,
): Promise<number> {
  const isConversation = options.inputFormat === 'stream-json';
  const prompt = isConversation ? options.prompt : await joinedPrompt(options.prompt, piped);
  if (!isConversation && prompt === undefined) {
    throw new UsageError('Print mode (-p) requires a prompt argument or text on stdin.');
  }
  const schema = readSchema(options.jsonSchema);
  const { session, remark } = await openCommandSession(options);
  if (remark !== undefined) output.note(remark);
  const transport = createHeadlessTransport({
    prompt,
    schema,
    outputFormat: options.outputFormat,
    input: isConversation ? process.stdin : undefined,
    output: output.out,
    notes: output.notes,
    verbose: options.verbose,
  });
  session.on('notice', ({ message }) => output.note(message));
  transport.attach(session);
  const stopListening = abortOnSignals(() => void transport.stop());
  try {
    await transport.start();
    await session.shutdown({ reason: 'other' });
    const code = transport.getExitCode();
    // A session that could not be saved at the end is a failure as well.
    return session.getSaveProblem() === undefined ? code : code || EXIT.failed;
  } finally {
    stopListening();
    // An input that is still open must not keep the process alive.
    if (isConversation) process.stdin.destroy();
  }
}

/** Inline JSON, as in Claude Code, or the path of a schema file. */
function readSchema(given: string | undefined): JsonSchema | undefined {
  if (given === undefined) return undefined;
  try {
    const text = given.trimStart().startsWith('{') ? given : readFileSync(given, 'utf8');
    const schema: unknown = JSON.parse(text);
    if (typeof schema === 'object' && schema !== null) return schema as JsonSchema;
    throw new TypeError('it is no object');
  } catch (error) {
    const problem = (error as Error).message;
    throw new UsageError(
      `--json-schema needs a JSON schema or the path of a file with one: ${problem}`,
      { cause: error },
    );
  }
}

/** Text on stdin is added to the prompt, or is the prompt if there is none. */
async function joinedPrompt(
  prompt: string | undefined,
  read: string | undefined,
): Promise<string | undefined> {
  const piped = read ?? (await readStdin({ isOptional: prompt !== undefined }));
  if (piped === undefined) return prompt;
  return prompt === undefined ? piped : `${prompt}\n\n<stdin>\n${piped}\n</stdin>`;
}

/** The first signal aborts and saves; a second one exits at once. */
function abortOnSignals(abort: () => void): () => void {
  let isStopping = false;
  const listener = () => {
    if (isStopping) process.exit(EXIT.interrupted);
    isStopping = true;
    abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
