import { AnthropicProvider } from '@robota-sdk/agent-provider/anthropic';
import { describeProviderContract, KEY } from '../contract/describe-provider-contract.ts';
import { anthropicDialect } from '../fakes/anthropic-dialect.ts';

describeProviderContract('anthropic', {
  dialect: anthropicDialect,
  apiSurface: 'anthropic-messages',
  keyVariable: 'ANTHROPIC_API_KEY',
  create: (baseURL) =>
    new AnthropicProvider({ apiKey: KEY, baseURL, model: 'claude-sonnet-4-5', environment: {} }),
  thinkingTrace: 'sig-of-the-vendor',
  usage: { inputTokens: 240, outputTokens: 42, cacheReadTokens: 200, cacheWriteTokens: 30 },
  forbidsTools: { tool_choice: { type: 'none' } },
  stopReasons: { answer: 'end_turn', tools: 'tool_use' },
});
