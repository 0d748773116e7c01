import { tmpdir } from 'node:os';
import {
  type ChatOptions,
  createAssistantMessage,
  type Message,
  type ModelOptions,
  type Provider,
  ProviderError,
} from '@robota-sdk/agent-core';
import { fakeTool } from '@robota-sdk/agent-core/testing';
import { InteractiveSession } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';

/** What a provider and its tools saw of one prompt. */
interface Seen {
  options: ChatOptions | undefined;
  asked: number;
  together: number;
  maxTokens: number;
  error: string | undefined;
  endedBy: string | undefined;
  readonly models: (string | undefined)[];
}

interface Case {
  readonly value: unknown;
  /** The name in a provider profile of the settings, where it is another. */
  readonly setting?: string;
  readonly seen: (seen: Seen) => unknown;
  readonly expected: unknown;
}

/** Every option there is: a new one does not compile until it stands here. */
const CASES: Readonly<Record<keyof ModelOptions, Case>> = {
  model: { value: 'scripted-2', seen: ({ options }) => options?.model, expected: 'scripted-2' },
  maxTokens: { value: 77, seen: ({ options }) => options?.maxTokens, expected: 77 },
  temperature: { value: 0.25, seen: ({ options }) => options?.temperature, expected: 0.25 },
  thinking: { value: 'high', seen: ({ options }) => options?.thinking, expected: 'high' },
  retry: { value: { maxRetries: 1, baseDelayMs: 1 }, seen: ({ asked }) => asked, expected: 2 },
  stopSequences: {
    value: ['END'],
    seen: ({ options }) => options?.stopSequences?.join(),
    expected: 'END',
  },
  fallbackModels: {
    value: ['scripted-3'],
    seen: ({ models }) => models.at(-1),
    expected: 'scripted-3',
  },
  maxBudgetTokens: { value: 100, seen: ({ endedBy }) => endedBy, expected: 'budget' },
  maxBudgetUsd: { value: 0.001, seen: ({ endedBy }) => endedBy, expected: 'budget' },
  toolConcurrency: { value: 2, seen: ({ together }) => together, expected: 2 },
  contextMaxTokens: { value: 12_345, seen: ({ maxTokens }) => maxTokens, expected: 12_345 },
  providerTimeout: {
    value: 20,
    setting: 'timeout',
    seen: ({ error }) => error,
    expected: 'Provider call idle timeout after 20ms',
  },
};

async function promptWith(
  name: keyof ModelOptions,
  given: Partial<ModelOptions> & { readonly config?: object },
): Promise<Seen> {
  const seen: Seen = {
    options: undefined,
    asked: 0,
    together: 0,
    maxTokens: 0,
    error: undefined,
    endedBy: undefined,
    models: [],
  };
  let running = 0;
  const tool = fakeTool('Work', async () => {
    running += 1;
    seen.together = Math.max(seen.together, running);
    await new Promise(setImmediate);
    running -= 1;
    return 'done';
  });
  const session = new InteractiveSession({
    cwd: tmpdir(),
    provider: provider(name, seen),
    tools: [tool],
    context: {},
    config: {},
    permissionMode: 'bypassPermissions',
    // A dollar budget needs a model with a price.
    ...(name === 'maxBudgetUsd' && { model: 'claude-sonnet-4-5' }),
    ...given,
  });
  const outcome = await session.submit('Go');
  seen.maxTokens = session.getContextState().maxTokens;
  if (outcome.status === 'failed') {
    seen.error = outcome.error.message;
    seen.endedBy = outcome.endedBy;
  }
  await session.shutdown();
  return seen;
}

function provider(name: keyof ModelOptions, seen: Seen): Provider {
  return {
    name: 'scripted',
    async chat(messages, options): Promise<Message> {
      seen.options ??= options;
      seen.models.push(options?.model);
      seen.asked += 1;
      if (name === 'providerTimeout') return new Promise(() => undefined);
      if (name === 'retry') {
        throw new ProviderError('busy', {
          provider: 'scripted',
          kind: 'overloaded',
          isRetryable: true,
        });
      }
      if (name === 'fallbackModels' && options?.model !== 'scripted-3') {
        throw new ProviderError('down', {
          provider: 'scripted',
          kind: 'server',
          isRetryable: false,
        });
      }
      const isFirst = messages.every(({ role }) => role !== 'tool');
      if (!['toolConcurrency', 'maxBudgetTokens', 'maxBudgetUsd'].includes(name) || !isFirst) {
        return createAssistantMessage('Done.');
      }
      const toolCalls = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({
        id,
        type: 'function' as const,
        function: { name: 'Work', arguments: '{}' },
      }));
      const metadata = { inputTokens: 1_000, outputTokens: 100 };
      return createAssistantMessage(null, { toolCalls, metadata });
    },
  };
}

describe.each(Object.keys(CASES) as (keyof ModelOptions)[])('%s', (name) => {
  const { value, setting = name, seen, expected } = CASES[name];

  it('reaches the model from the options of a session', async () => {
    expect(seen(await promptWith(name, { [name]: value }))).toBe(expected);
  });

  it('reaches the model from the settings', async () => {
    const config = { provider: { [setting]: value } };

    expect(seen(await promptWith(name, { config }))).toBe(expected);
  });

  it('is the one of the options where both are given', async () => {
    const config = { provider: { [setting]: name === 'model' ? 'scripted-9' : value } };

    expect(seen(await promptWith(name, { [name]: value, config }))).toBe(expected);
  });
});
