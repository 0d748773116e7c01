import { createAnthropic } from '@ai-sdk/anthropic';
import { configuredBase, firstSet, withVersion } from '../translate/provider-options.ts';
import type { Vendor } from '../translate/vendor.ts';
import { placeCachePoints } from './cache-points.ts';
import { isUnknownEvent, readEarlyUsage } from './events.ts';
import { ANTHROPIC_DEFAULT_MODEL, type AnthropicProviderOptions } from './options.ts';
import { callOptions } from './request.ts';

export function createAnthropicVendor(options: AnthropicProviderOptions): Vendor {
  const given = configuredBase(options, 'ANTHROPIC_BASE_URL');
  const baseURL = withVersion(given ?? 'https://api.anthropic.com', 'v1');
  const credentials = findCredentials(options);
  return {
    name: 'anthropic',
    title: 'Anthropic',
    apiSurface: 'anthropic-messages',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    secrets: Object.values(credentials),
    // A custom gateway may need no key.
    hasKey: given !== undefined || Object.keys(credentials).length > 0,
    defaultModel: ANTHROPIC_DEFAULT_MODEL,
    promptRules: {
      family: 'anthropic',
      optionsKey: 'anthropic',
      needsLeadingUser: true,
      imagesFollowToolResults: false,
      toolCallId: (id) => id.replace(/[^\w-]/g, '_'),
    },
    createModel: (modelId, fetch) =>
      createAnthropic({
        ...(Object.keys(credentials).length > 0 ? credentials : { apiKey: 'no-key' }),
        baseURL,
        headers: { ...options.headers },
        fetch,
      })(modelId),
    callOptions: (request) => callOptions(request, { toolStreaming: given === undefined }),
    finishPrompt: placeCachePoints,
    isPause: (stopReason) => stopReason === 'pause_turn',
    readEarlyUsage,
    isUnknownEvent,
  };
}

/** Options take precedence over the environment, and a key over a token. */
function findCredentials(options: AnthropicProviderOptions): Record<string, string> {
  const environment = options.environment ?? process.env;
  if (options.apiKey) return { apiKey: options.apiKey };
  if (options.authToken) return { authToken: options.authToken };
  const apiKey = firstSet(environment, 'ANTHROPIC_API_KEY');
  if (apiKey) return { apiKey };
  const authToken = firstSet(environment, 'ANTHROPIC_AUTH_TOKEN');
  return authToken ? { authToken } : {};
}
