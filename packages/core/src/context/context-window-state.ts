/** How full the model's context window is. */
export interface ContextWindowState {
  readonly maxTokens: number;
  readonly usedTokens: number;
  /** 0 to 100, two decimals. */
  readonly usedPercentage: number;
  readonly remainingPercentage: number;
}

/** Computes how full a context window is. */
export function contextWindowState(usedTokens: number, maxTokens: number): ContextWindowState {
  const share = maxTokens > 0 ? Math.min(100, (usedTokens / maxTokens) * 100) : 100;
  const usedPercentage = Math.round(share * 100) / 100;
  const remainingPercentage = Math.round((100 - usedPercentage) * 100) / 100;
  return { maxTokens, usedTokens, usedPercentage, remainingPercentage };
}
