import type { LanguageModelV3CallOptions } from '@ai-sdk/provider';
import type { ThinkingEffort } from '@robota-sdk/agent-core';
import { toFunctionTools, toolChoiceOf } from '../translate/function-tools.ts';
import type { VendorRequest } from '../translate/vendor.ts';

export function callOptions(request: VendorRequest): Partial<LanguageModelV3CallOptions> {
  const tools = callTools(request);
  const thinkingConfig = thinkingOptions(request.model, request.options.thinking);
  return {
    ...(tools.length > 0 ? { tools, ...toolChoiceOf(request.options) } : {}),
    ...(thinkingConfig ? { providerOptions: { google: { thinkingConfig } } } : {}),
  };
}

const WEB_SEARCH = {
  type: 'provider',
  id: 'google.google_search',
  name: 'google_search',
  args: {},
} as const;

/** Before Gemini 3 a request may contain functions or search, not both; functions take precedence. */
function callTools({ model, options, webSearch }: VendorRequest) {
  const functions = toFunctionTools(options.tools);
  const canMix = generationOf(model) >= 3 || functions.length === 0;
  return webSearch && canMix ? [...functions, WEB_SEARCH] : functions;
}

const BUDGET_TOKENS: Record<ThinkingEffort, number> = {
  off: 0,
  low: 1024,
  medium: 8192,
  high: 24_576,
};

/** Gemini 3 takes a level, 2.5 a budget; Pro models cannot disable thinking. */
function thinkingOptions(model: string, thinking: ThinkingEffort | undefined) {
  const generation = generationOf(model);
  if (thinking === undefined || generation < 2.5) return undefined;
  if (generation >= 3) {
    return {
      thinkingLevel: thinking === 'off' ? 'low' : thinking,
      includeThoughts: thinking !== 'off',
    };
  }
  const minimum = /pro/.test(model) ? 128 : 0;
  return {
    thinkingBudget: Math.max(minimum, BUDGET_TOKENS[thinking]),
    includeThoughts: thinking !== 'off',
  };
}

/** 2.5 for `gemini-2.5-flash`; names without a number count as the newest. */
function generationOf(model: string): number {
  const match = /gemini-(\d+(?:\.\d+)?)/.exec(model);
  return match ? Number(match[1]) : Number.POSITIVE_INFINITY;
}
