import { InteractiveSession } from '../interactive/interactive-session.ts';
import { assertPrompt } from '../interactive/options.ts';
import { submitForObject } from './object-output.ts';
import type { ObjectSchema, OutputOf } from './object-schema.ts';
import type { CreateQueryOptions } from './query-options.ts';
import { type QueryResult, resultOf } from './query-result.ts';

/** One prompt and the session that answers it. */
export interface QueryRun {
  readonly session: InteractiveSession;
  ask(): Promise<QueryResult>;
  askFor<Schema extends ObjectSchema>(
    schema: Schema,
  ): Promise<QueryResult & { readonly object: OutputOf<Schema> }>;
  /** Shuts the session down. */
  close(): Promise<void>;
}

/** Throws synchronously when a required option is missing. */
export function openQueryRun(prompt: unknown, options: CreateQueryOptions): QueryRun {
  assertPrompt('A query', prompt);
  const startedAt = performance.now();
  const { onTextDelta, signal, attachments, parts, cwd = process.cwd(), ...given } = options;
  const session = new InteractiveSession({ ...given, cwd });
  if (onTextDelta) session.on('text_delta', onTextDelta);
  const abort = () => session.abort();
  const abortIfSignalled = () => {
    if (signal?.aborted) abort();
  };
  signal?.addEventListener('abort', abort, { once: true });
  const sent = { attachments, parts };
  return {
    session,
    async ask() {
      const asking = session.submit(prompt, undefined, undefined, sent);
      abortIfSignalled();
      return resultOf(session, await asking, startedAt);
    },
    async askFor(schema) {
      const asking = submitForObject(session, prompt, { ...sent, schema });
      abortIfSignalled();
      const { object, outcome } = await asking;
      return { ...(await resultOf(session, outcome, startedAt)), object };
    },
    async close() {
      signal?.removeEventListener('abort', abort);
      await session.shutdown();
    },
  };
}
