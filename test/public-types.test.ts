import type { Provider, TokenUsage, ToolParameters } from '@robota-sdk/agent-core';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import type { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
import type { GoogleProvider } from '@robota-sdk/agent-provider/google';
import type { OpenAIProvider } from '@robota-sdk/agent-provider/openai';
import {
  type AssembledSessionOptions,
  createQuery,
  type InteractiveSession,
  type PermissionAnswer,
  type Query,
  type QueryEvent,
  type QueryOptions,
  type QueryResult,
  type QueryStream,
  type SubmitOutcome,
} from '@robota-sdk/agent-sdk';
import type { ConversationBlock, StreamEvent } from '@robota-sdk/agent-transcript';
import { expectTypeOf, it } from 'vitest';
import { z } from 'zod';

/** What programs rely on at compile time. Violations fail in `tsc -p tsconfig.test.json`. */

const provider = scriptedProvider(says('hi'));

it('a query returns a string, with variants that return more', () => {
  const query = createQuery({ provider });

  expectTypeOf(query).toEqualTypeOf<Query>();
  expectTypeOf(query).returns.toEqualTypeOf<Promise<string>>();
  expectTypeOf(query.result).returns.toEqualTypeOf<Promise<QueryResult>>();
  expectTypeOf(query.stream).returns.toEqualTypeOf<QueryStream>();
  expectTypeOf<QueryStream>().toExtend<AsyncIterable<QueryEvent>>();
  expectTypeOf<StreamEvent>().toExtend<QueryEvent>();
  expectTypeOf<QueryResult['usage']>().toEqualTypeOf<TokenUsage>();
  expectTypeOf<QueryResult['costUsd']>().toEqualTypeOf<number | null>();
  expectTypeOf<QueryResult['blocks']>().toEqualTypeOf<readonly ConversationBlock[]>();
});

it('a structured answer has the type of its schema', () => {
  const query = createQuery({ provider });
  const ask = () => query.object('?', { schema: z.object({ n: z.number() }) });
  const askPlainly = () => query.object('?', { schema: { type: 'object' } });

  expectTypeOf(ask).returns.resolves.toHaveProperty('object').toEqualTypeOf<{ n: number }>();
  expectTypeOf(askPlainly).returns.resolves.toHaveProperty('object').toBeUnknown();
});

it('options accept undefined, also under exactOptionalPropertyTypes', () => {
  const maybe = undefined as string | undefined;

  expectTypeOf({ apiKey: maybe, model: maybe }).toExtend<
    ConstructorParameters<typeof AnthropicProvider>[0]
  >();
  expectTypeOf({ apiKey: maybe }).toExtend<ConstructorParameters<typeof OpenAIProvider>[0]>();
  expectTypeOf({ apiKey: maybe }).toExtend<ConstructorParameters<typeof GoogleProvider>[0]>();
  expectTypeOf({ cwd: maybe, model: maybe, maxBudgetUsd: undefined }).toExtend<QueryOptions>();
  expectTypeOf<AnthropicProvider>().toExtend<Provider>();
});

it('a session returns the outcome of a prompt, and its hooks and handlers are typed', () => {
  const options: AssembledSessionOptions = {
    cwd: '/',
    provider,
    hooks: {
      PreToolUse: [
        ({ tool_name, tool_input, hook_event_name }) => {
          expectTypeOf(tool_name).toBeString();
          expectTypeOf(tool_input).toEqualTypeOf<ToolParameters>();
          expectTypeOf(hook_event_name).toEqualTypeOf<'PreToolUse'>();
        },
      ],
      UserPromptSubmit: [({ prompt }) => ({ additionalContext: prompt })],
    },
    permissionHandler: (_tool, input) => ({ allow: true, input }),
  };

  expectTypeOf(options).toExtend<ConstructorParameters<typeof InteractiveSession>[0]>();
  expectTypeOf<InteractiveSession['submit']>().returns.toEqualTypeOf<Promise<SubmitOutcome>>();
  expectTypeOf<{ allow: true; input: ToolParameters }>().toExtend<PermissionAnswer>();
  expectTypeOf<{ deny: string }>().toExtend<PermissionAnswer>();
});
