import type { LanguageModelV3Usage } from '@ai-sdk/provider';

/** Token counts of one reply; `inputTokens` includes cache reads and writes. */
export interface UsageCounts {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  readonly reasoningTokens?: number;
}

export function toUsageCounts(usage: LanguageModelV3Usage): UsageCounts | undefined {
  const { inputTokens: input, outputTokens: output } = usage;
  if (input.total === undefined || output.total === undefined) return undefined;
  return {
    inputTokens: input.total,
    outputTokens: output.total,
    ...(input.cacheRead ? { cacheReadTokens: input.cacheRead } : {}),
    ...(input.cacheWrite ? { cacheWriteTokens: input.cacheWrite } : {}),
    ...(output.reasoning ? { reasoningTokens: output.reasoning } : {}),
  };
}

/** Adds up the requests of a paused reply. */
export function sumTokens(left: UsageCounts | undefined, right: UsageCounts): UsageCounts {
  if (!left) return right;
  const cacheReadTokens = (left.cacheReadTokens ?? 0) + (right.cacheReadTokens ?? 0);
  const cacheWriteTokens = (left.cacheWriteTokens ?? 0) + (right.cacheWriteTokens ?? 0);
  const reasoningTokens = (left.reasoningTokens ?? 0) + (right.reasoningTokens ?? 0);
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    ...(cacheReadTokens ? { cacheReadTokens } : {}),
    ...(cacheWriteTokens ? { cacheWriteTokens } : {}),
    ...(reasoningTokens ? { reasoningTokens } : {}),
  };
}
