/** How full the model's context window is. */
export interface ContextWindowState {
  readonly maxTokens: number;
  readonly usedTokens: number;
  /** 0 to 100, two decimals. */
  readonly usedPercentage: number;
  readonly remainingPercentage: number;
}
