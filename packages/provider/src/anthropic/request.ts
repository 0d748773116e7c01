import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ThinkingEffort } from '@robota-sdk/agent-core';
import { toFunctionTools, toolChoiceOf } from '../translate/function-tools.ts';
import type { VendorRequest } from '../translate/vendor.ts';
import { withCachePoint } from './cache-points.ts';

/** Optional features of the endpoint. */
export interface EndpointTraits {
  /** Streams tool arguments as they are generated; gateways reject the field that requests it. */
  readonly toolStreaming: boolean;
}

export function callOptions(
  request: VendorRequest,
  { toolStreaming }: EndpointTraits,
): Partial<LanguageModelV3CallOptions> {
  const tools = callTools(request);
  return {
    ...(tools && tools.length > 0 ? { tools, ...toolChoiceOf(request.options) } : {}),
    providerOptions: { anthropic: { toolStreaming, ...thinkingOptions(request) } },
  };
}

const WEB_SEARCH = {
  type: 'provider',
  id: 'anthropic.web_search_20250305',
  name: 'web_search',
  args: {},
} as const;

/** The server tool comes first, so that the last tool, which gets the cache point, is always a function. */
function callTools({ options, webSearch }: VendorRequest): LanguageModelV3CallOptions['tools'] {
  const functions = toFunctionTools(options.tools);
  const last = functions.pop();
  return [
    ...(webSearch ? [WEB_SEARCH] : []),
    ...functions,
    ...(last ? [withCachePoint(last)] : []),
  ];
}

const BUDGET_TOKENS: Record<Exclude<ThinkingEffort, 'off'>, number> = {
  low: 2048,
  medium: 8192,
  high: 24_576,
};

type ThinkingOptions = NonNullable<LanguageModelV3CallOptions['providerOptions']>[string];

/** Newer models choose how long to think and take an effort; older ones take a budget. */
function thinkingOptions({ model, options }: VendorRequest): ThinkingOptions | undefined {
  const effort = options.thinking;
  if (effort === undefined) return undefined;
  const generation = generationOf(model);
  if (generation < 3.7) return undefined;
  if (effort === 'off') return { thinking: { type: 'disabled' } };
  if (generation < 4.6) {
    return { thinking: { type: 'enabled', budgetTokens: BUDGET_TOKENS[effort] } };
  }
  return { thinking: { type: 'adaptive', display: 'summarized' }, effort };
}

/** 4.5 for `claude-opus-4-5-20251101`, 3.7 for `claude-3-7-sonnet-latest`; unknown names count as new. */
function generationOf(model: string): number {
  const match = /claude-(?:[a-z]+-)?(\d)(?:[-.](\d{1,2}))?(?!\d)/.exec(model);
  if (!match) return /claude-\d/.test(model) ? 0 : Number.POSITIVE_INFINITY;
  return Number(match[1]) + Number(match[2] ?? 0) / 10;
}
