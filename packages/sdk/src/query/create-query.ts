import { assertProvider, MissingOptionError } from '@robota-sdk/agent-core';
import type { ObjectSchema, OutputOf } from './object-schema.ts';
import type { CreateQueryOptions, QueryOptions } from './query-options.ts';
import type { QueryResult } from './query-result.ts';
import { openQueryRun, type QueryRun } from './query-run.ts';
import { QueryStream } from './query-stream.ts';

/** Answers prompts, each in its own session. Every method rejects when the model or the setup fails. */
export interface Query {
  /** The text of the answer. */
  (prompt: string, options?: QueryOptions): Promise<string>;
  /** The answer with blocks, usage, cost, stop reason and session id. */
  result(prompt: string, options?: QueryOptions): Promise<QueryResult>;
  /** The events of the run as they happen; the last one is the result. */
  stream(prompt: string, options?: QueryOptions): QueryStream;
  /** A value that conforms to `schema` (zod or JSON Schema); an invalid answer is sent back to the model once. */
  object<Schema extends ObjectSchema>(
    prompt: string,
    options: QueryOptions & { readonly schema: Schema },
  ): Promise<QueryResult & { readonly object: OutputOf<Schema> }>;
}

/** Creates a function that answers prompts, each in its own session; it rejects when the model or the setup fails. */
export function createQuery(options: CreateQueryOptions): Query {
  assertProvider('createQuery', options?.provider);
  const open = (prompt: unknown, given: QueryOptions = {}) =>
    openQueryRun(prompt, { ...options, ...given, provider: options.provider });
  const result = (prompt: string, given?: QueryOptions) => {
    return answer(
      async () => open(prompt, given),
      ({ ask }) => ask(),
    );
  };
  return Object.assign(
    async (prompt: string, given?: QueryOptions) => (await result(prompt, given)).text,
    {
      result,
      stream: (prompt: string, given?: QueryOptions) => new QueryStream(() => open(prompt, given)),
      object<Schema extends ObjectSchema>(
        prompt: string,
        options: QueryOptions & { readonly schema: Schema },
      ) {
        return answer(
          async () => {
            if (options?.schema === undefined)
              throw new MissingOptionError('A query for an object', 'schema', SCHEMA);
            const { schema: _schema, ...given } = options;
            return open(prompt, given);
          },
          ({ askFor }) => askFor(options.schema),
        );
      },
    },
  );
}

const SCHEMA = 'a zod schema or a JSON schema';

async function answer<Result>(
  open: () => Promise<QueryRun>,
  ask: (run: QueryRun) => Promise<Result>,
): Promise<Result> {
  const run = await open();
  try {
    return await ask(run);
  } finally {
    await run.close();
  }
}
