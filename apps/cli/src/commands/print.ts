import { createHeadlessTransport } from '@robota-sdk/agent-transport/headless';
import type { RunArguments } from '../arguments/parse-arguments.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { openSession } from './open-session.ts';
import { readStdin } from './read-stdin.ts';

/** `robota -p`: one prompt, or a conversation on stdin, on plain streams. */
export async function runPrint(options: RunArguments, output: Output): Promise<number> {
  const isConversation = options.inputFormat === 'stream-json';
  const prompt = isConversation ? options.prompt : await joinedPrompt(options.prompt);
  if (!isConversation && prompt === undefined) {
    throw new UsageError('Print mode (-p) requires a prompt argument or text on stdin.');
  }
  const { session } = await openSession(options);
  const transport = createHeadlessTransport({
    prompt,
    outputFormat: options.outputFormat,
    input: isConversation ? process.stdin : undefined,
    output: output.out,
    notes: output.notes,
  });
  session.on('notice', ({ message }) => output.note(message));
  session.attachTransport(transport);
  const stopListening = abortOnSignals(() => session.abort());
  try {
    await transport.start();
    await session.shutdown({ reason: 'other' });
    return transport.getExitCode();
  } finally {
    stopListening();
  }
}

/** What stands on stdin is material for the prompt, not the prompt itself. */
async function joinedPrompt(prompt: string | undefined): Promise<string | undefined> {
  const piped = await readStdin({ hasPrompt: prompt !== undefined });
  if (piped === undefined) return prompt;
  return prompt === undefined ? piped : `${prompt}\n\n<stdin>\n${piped}\n</stdin>`;
}

/** The first signal asks the session to stop and save; a second one does not wait. */
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
