import {
  type AttachableSession,
  type JsonSchema,
  type LiveSession,
  type TransportAdapter,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { createWriter, type HeadlessFormat, type TextSink } from './headless-writer.ts';
import { runOnce } from './run-once.ts';

/** What is asked, and where the answer is written. */
export interface HeadlessOptions {
  /** What to ask; with `input`, asked before the first line is read. */
  readonly prompt?: string | undefined;
  readonly outputFormat?: HeadlessFormat | undefined;
  /** What the answer to `prompt` has to fit; it is then that value, as JSON. Not for conversations. */
  readonly schema?: JsonSchema | undefined;
  /** Lines of stream-json: prompts, answers to permission questions, aborts. */
  readonly input?: AsyncIterable<Uint8Array | string> | undefined;
  readonly output?: TextSink | undefined;
  readonly notes?: TextSink | undefined;
  /** Of text: every tool call is noted, too. */
  readonly verbose?: boolean | undefined;
}

/** Answers on plain streams. `start` resolves when all is said; then the exit code is known. */
export interface HeadlessTransport extends TransportAdapter {
  readonly name: 'headless';
  attach(session: AttachableSession): void;
  /** 0 done, 1 failed, 130 interrupted. */
  getExitCode(): number;
}

/** Answers on plain streams, for scripts. */
export function createHeadlessTransport(options: HeadlessOptions = {}): HeadlessTransport {
  let attached: LiveSession | undefined;
  let exitCode = 0;
  return {
    name: 'headless',
    attach(session) {
      attached = toLiveSession(session);
    },
    async start() {
      if (!attached) throw new Error('No session attached. Call attach() first.');
      const writer = createWriter({
        format: options.outputFormat ?? 'text',
        output: options.output ?? process.stdout,
        notes: options.notes ?? process.stderr,
        verbose: options.verbose === true,
      });
      const { input, prompt } = options;
      if (!input) {
        exitCode = await runOnce(attached, writer, {
          prompt: prompt ?? '',
          schema: options.schema,
        });
        return;
      }
      // Reading lines needs a validator that a single prompt does not pay for.
      const { runConversation } = await import('./run-conversation.ts');
      exitCode = await runConversation(attached, writer, { input, prompt });
    },
    async stop() {
      await attached?.abort();
    },
    getExitCode: () => exitCode,
  };
}
