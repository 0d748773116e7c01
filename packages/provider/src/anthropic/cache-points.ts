import type { LanguageModelV3Message, LanguageModelV3Prompt } from '@ai-sdk/provider';

const CACHE_POINT = { anthropic: { cacheControl: { type: 'ephemeral' } } };

/**
 * Marks where the vendor may cache the prefix: after the system prompt, at the end of the request, and at the end of
 * the previous one, so that a long round still hits the previous cache entry. With the last tool that makes
 * four, Anthropic's limit. Marks are not part of the cached bytes, so they may move.
 */
export function placeCachePoints(prompt: LanguageModelV3Prompt): LanguageModelV3Prompt {
  const marked = new Set([
    prompt.findIndex((message) => message.role === 'system'),
    ...requestEnds(prompt).slice(-2),
  ]);
  return prompt.map((message, index) => (marked.has(index) ? withCachePoint(message) : message));
}

/** A request ends at a user or tool message followed by the assistant, or by nothing. */
function requestEnds(prompt: LanguageModelV3Prompt): number[] {
  return prompt.flatMap((message, index) => {
    const next = prompt[index + 1]?.role;
    const isInput = message.role === 'user' || message.role === 'tool';
    return isInput && (next === undefined || next === 'assistant') ? [index] : [];
  });
}

export function withCachePoint<Target extends Pick<LanguageModelV3Message, 'providerOptions'>>(
  target: Target,
): Target {
  return { ...target, providerOptions: CACHE_POINT };
}
