import {
  createSystemMessage,
  createToolMessage,
  createUserMessage,
  type Message,
  type Provider,
  type ToolSchema,
} from '@robota-sdk/agent-core';
import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
import { GoogleProvider } from '@robota-sdk/agent-provider/google';
import { OpenAIProvider } from '@robota-sdk/agent-provider/openai';
import { afterEach, describe, expect, it } from 'vitest';
import { anthropicDialect } from './fakes/anthropic-dialect.ts';
import type { Dialect } from './fakes/dialect.ts';
import { FakeVendor } from './fakes/fake-vendor.ts';
import { googleDialect } from './fakes/google-dialect.ts';
import { openaiChatDialect } from './fakes/openai-chat-dialect.ts';
import { openaiResponsesDialect } from './fakes/openai-responses-dialect.ts';

const READ: ToolSchema = {
  name: 'Read',
  description: 'Reads',
  parameters: { type: 'object', properties: { filePath: { type: 'string' } } },
};

const rest = { apiKey: 'key', environment: {} };
const FAMILIES: [string, Dialect, (baseURL: string) => Provider][] = [
  [
    'anthropic',
    anthropicDialect,
    (baseURL) => new AnthropicProvider({ ...rest, baseURL, model: 'claude-sonnet-4-5' }),
  ],
  [
    'responses',
    openaiResponsesDialect,
    (baseURL) => new OpenAIProvider({ ...rest, baseURL, api: 'responses', model: 'gpt-5.5' }),
  ],
  [
    'compatible',
    openaiChatDialect,
    (baseURL) => new OpenAIProvider({ ...rest, baseURL, model: 'qwen' }),
  ],
  [
    'google',
    googleDialect,
    (baseURL) => new GoogleProvider({ ...rest, baseURL, model: 'gemini-3-pro-preview' }),
  ],
];

describe('switching providers during a conversation', () => {
  const vendors: FakeVendor[] = [];

  afterEach(async () => {
    for (const vendor of vendors.splice(0)) await vendor.stop();
  });

  async function start([, dialect, create]: (typeof FAMILIES)[number]) {
    const vendor = new FakeVendor((request) => {
      const fault = dialect.refuse(request);
      return fault ? { status: 400, body: dialect.errorBody(400, fault) } : undefined;
    });
    vendors.push(vendor);
    const provider = create(await vendor.start());
    return { dialect, vendor, provider };
  }

  const pairs = FAMILIES.flatMap((from) =>
    FAMILIES.filter((to) => to !== from).map((to) => [from[0], to[0], from, to] as const),
  );

  it.each(pairs)(
    '%s begins with thoughts and tools, %s goes on, and the first takes over again',
    async (_from, _to, from, to) => {
      const first = await start(from);
      const second = await start(to);
      const history: Message[] = [createSystemMessage('Be kind'), createUserMessage('read')];
      const step = async ({ dialect, vendor, provider }: typeof first, number: number) => {
        const calls = [{ id: `call_${number}`, name: 'Read', pieces: ['{"filePath":"a"}'] }];
        vendor.next({
          kind: 'stream',
          events: dialect.events({ thinking: ['Hm'], text: ['Look'], calls }),
        });
        history.push(
          await provider.chat(history, { tools: [READ], thinking: 'high' }),
          createToolMessage('text', `call_${number}`, { name: 'Read' }),
        );
      };

      await step(first, 1);
      await step(second, 2);
      await step(first, 3);

      expect(history.map((message) => message.role)).toEqual([
        'system',
        'user',
        ...['assistant', 'tool', 'assistant', 'tool', 'assistant', 'tool'],
      ]);
    },
  );
});
