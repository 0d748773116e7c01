import { assertProvider, MissingOptionError } from '@robota-sdk/agent-core';
import type { ObjectSchema, OutputOf } from './object-schema.ts';
import type { CreateQueryOptions, QueryOptions } from './query-options.ts';
import type { QueryResult } from './query-result.ts';
import { QueryStream } from './query-stream.ts';
import { openQuestion, type Question } from './question.ts';

/** Answers prompts, each in a session of its own. Every way to ask rejects when the model or the set-up fails. */
export interface Query {
  /** What the model says. */
  (prompt: string, options?: QueryOptions): Promise<string>;
  /** The same with blocks, usage, cost, stop reason and the session's id. */
  result(prompt: string, options?: QueryOptions): Promise<QueryResult>;
  /** What happens on the way, as it happens; the last event is the result. */
  stream(prompt: string, options?: QueryOptions): QueryStream;
  /** A value that fits `schema`, a zod schema or a JSON schema; an answer that does not fit is sent back once. */
  object<Schema extends ObjectSchema>(
    prompt: string,
    options: QueryOptions & { readonly schema: Schema },
  ): Promise<QueryResult & { readonly object: OutputOf<Schema> }>;
}

/** A function that answers prompts, each in a session of its own; rejects when the model or the set-up fails. */
export function createQuery(options: CreateQueryOptions): Query {
  assertProvider('createQuery', options?.provider);
  const open = (prompt: unknown, given: QueryOptions = {}) =>
    openQuestion(prompt, { ...options, ...given, provider: options.provider });
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
  open: () => Promise<Question>,
  ask: (question: Question) => Promise<Result>,
): Promise<Result> {
  const question = await open();
  try {
    return await ask(question);
  } finally {
    await question.close();
  }
}
