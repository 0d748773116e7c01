import { GoogleProvider } from '@robota-sdk/agent-provider/google';
import { describeProviderContract, KEY } from '../contract/describe-provider-contract.ts';
import { googleDialect } from '../fakes/google-dialect.ts';

describeProviderContract('google', {
  dialect: googleDialect,
  apiSurface: 'google-generate-content',
  keyVariable: 'GEMINI_API_KEY',
  create: (baseURL) =>
    new GoogleProvider({ apiKey: KEY, baseURL, model: 'gemini-3-pro-preview', environment: {} }),
  thinkingTrace: 'signature-of-the-vendor',
  usage: { inputTokens: 240, outputTokens: 42, cacheReadTokens: 200, reasoningTokens: 12 },
  forbidsTools: { toolConfig: { functionCallingConfig: { mode: 'NONE' } } },
  stopReasons: { answer: 'STOP', tools: 'STOP' },
});
