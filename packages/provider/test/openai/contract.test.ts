import { OpenAIProvider } from '@robota-sdk/agent-provider/openai';
import { describeProviderContract, KEY } from '../contract/describe-provider-contract.ts';
import { openaiChatDialect } from '../fakes/openai-chat-dialect.ts';
import { openaiResponsesDialect } from '../fakes/openai-responses-dialect.ts';

describeProviderContract('openai responses', {
  dialect: openaiResponsesDialect,
  apiSurface: 'openai-responses',
  keyVariable: 'OPENAI_API_KEY',
  create: (baseURL) =>
    new OpenAIProvider({
      apiKey: KEY,
      baseURL,
      api: 'responses',
      model: 'gpt-5.5',
      environment: {},
    }),
  thinkingTrace: 'encrypted-by-the-vendor',
  usage: { inputTokens: 240, outputTokens: 42, cacheReadTokens: 200, reasoningTokens: 12 },
  forbidsTools: { tool_choice: 'none' },
  stopReasons: { answer: 'stop', tools: 'tool-calls' },
});

describeProviderContract('openai chat completions', {
  dialect: openaiChatDialect,
  apiSurface: 'openai-chat-completions',
  keyVariable: 'OPENAI_API_KEY',
  create: (baseURL) =>
    new OpenAIProvider({ apiKey: KEY, baseURL, api: 'chat', model: 'gpt-4.1', environment: {} }),
  usage: { inputTokens: 240, outputTokens: 42, cacheReadTokens: 200 },
  forbidsTools: { tool_choice: 'none' },
  stopReasons: { answer: 'stop', tools: 'tool_calls' },
});

describeProviderContract('openai compatible', {
  dialect: openaiChatDialect,
  apiSurface: 'openai-chat-completions',
  keyVariable: 'OPENAI_API_KEY',
  create: (baseURL) =>
    new OpenAIProvider({ apiKey: KEY, baseURL, model: 'qwen3-coder', environment: {} }),
  thinkingTrace: '"reasoning_content":"Let me"',
  usage: { inputTokens: 240, outputTokens: 42, cacheReadTokens: 200 },
  forbidsTools: { tool_choice: 'none' },
  stopReasons: { answer: 'stop', tools: 'tool_calls' },
});
