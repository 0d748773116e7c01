import {
  type AttachableSession,
  type JsonSchema,
  type LiveSession,
  type TransportAdapter,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { createWriter, type HeadlessFormat, type TextSink } from './headless-writer.ts';
import { runOnce } from './run-once.ts';

/** What to ask, and where to write the answer. */
export interface HeadlessOptions {
  /** The prompt; with `input`, it runs before the first line is read. */
  readonly prompt?: string | undefined;
  readonly outputFormat?: HeadlessFormat | undefined;
  /** Schema of the answer to `prompt`, which is then JSON. Not for conversations. */
  readonly schema?: JsonSchema | undefined;
  /** Lines of stream-json: prompts, answers to permission questions, aborts. */
  readonly input?: AsyncIterable<Uint8Array | string> | undefined;
  readonly output?: TextSink | undefined;
  readonly notes?: TextSink | undefined;
  /** For the text format: also notes every tool call. */
  readonly verbose?: boolean | undefined;
}

/** Answers on plain streams. `start` resolves when everything is written and the exit code is known. */
export interface HeadlessTransport extends TransportAdapter {
  readonly name: 'headless';
  attach(session: AttachableSession): void;
  /** Aborts the running prompt; a conversation reads and asks nothing more. */
  stop(): Promise<void>;
  /** 0 done, 1 failed, 130 interrupted. */
  getExitCode(): number;
}

/** Answers on plain streams, for scripts. */
export function createHeadlessTransport(options: HeadlessOptions = {}): HeadlessTransport {
  let attached: LiveSession | undefined;
  let exitCode = 0;
  const stopping = new AbortController();
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
      // Loaded on demand: reading lines needs a validator, which a single prompt does not.
      const { runConversation } = await import('./run-conversation.ts');
      const { signal } = stopping;
      exitCode = await runConversation(attached, writer, { input, prompt, signal });
    },
    async stop() {
      stopping.abort();
      await attached?.abort();
    },
    getExitCode: () => exitCode,
  };
}
