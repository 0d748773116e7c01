/** Tokens that were read and written. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** Of `cacheWriteTokens`, those kept for an hour, which have a price of their own. */
  readonly cacheWrite1hTokens?: number;
  readonly thinkingTokens?: number;
  /** Everything the model read and wrote, cached tokens included. */
  readonly totalTokens: number;
}

/** Facts and totals of a session. */
export interface SessionMetadata {
  readonly usage?: TokenUsage;
  readonly costUSD?: number;
  readonly model?: string;
  readonly [field: string]: unknown;
}
