import type { TokenUsage } from './session-metadata.ts';

/** The sum of several usages; a count that none of them has stays absent. */
export function sumUsage(usages: Iterable<TokenUsage>): TokenUsage {
  let [inputTokens, outputTokens, totalTokens] = [0, 0, 0];
  let cacheReadTokens: number | undefined;
  let cacheWriteTokens: number | undefined;
  let cacheWrite1hTokens: number | undefined;
  let thinkingTokens: number | undefined;
  for (const usage of usages) {
    inputTokens += usage.inputTokens;
    outputTokens += usage.outputTokens;
    totalTokens += usage.totalTokens;
    cacheReadTokens = plus(cacheReadTokens, usage.cacheReadTokens);
    cacheWriteTokens = plus(cacheWriteTokens, usage.cacheWriteTokens);
    cacheWrite1hTokens = plus(cacheWrite1hTokens, usage.cacheWrite1hTokens);
    thinkingTokens = plus(thinkingTokens, usage.thinkingTokens);
  }
  return {
    inputTokens,
    outputTokens,
    ...(cacheReadTokens === undefined ? {} : { cacheReadTokens }),
    ...(cacheWriteTokens === undefined ? {} : { cacheWriteTokens }),
    ...(cacheWrite1hTokens === undefined ? {} : { cacheWrite1hTokens }),
    ...(thinkingTokens === undefined ? {} : { thinkingTokens }),
    totalTokens,
  };
}

function plus(total: number | undefined, more: number | undefined): number | undefined {
  return more === undefined ? total : (total ?? 0) + more;
}
