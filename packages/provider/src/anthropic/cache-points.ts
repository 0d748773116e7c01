import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';

const CACHE_POINT = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks where the vendor may keep the prefix: after the system prompt, at the end of the request, and at the end of
 * the one before it, so that a long round still finds what its predecessor left. With the last tool that makes
 * four, the most Anthropic takes. Marks are no part of the cached bytes, so they may move.
 */
export function placeCachePoints(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const marked = new Set([
    prompt.findIndex((message) => message.role === 'system'),
    ...requestEnds(prompt).slice(-2),
  ]);
  return prompt.map((message, index) => (marked.has(index) ? withCachePoint(message) : message));
}

/** A request ended where the user or a tool spoke last before the assistant. */
function requestEnds(prompt: LanguageModelV3Prompt): number[] {
  return prompt.flatMap((message, index) => {
    const next = prompt[index + 1]?.role;
    const isAsking = message.role === 'user' || message.role === 'tool';
    return isAsking && (next === undefined || next === 'assistant') ? [index] : [];
  });
}

export function withCachePoint<Target extends Pick<LanguageModelV3Message, 'providerOptions'>>(
  target: Target,
): Target {
  return { ...target, providerOptions: CACHE_POINT };
}
