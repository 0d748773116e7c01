/** Token counts. */
export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
  /** The part of `cacheWriteTokens` cached for an hour, which is priced separately. */
  readonly cacheWrite1hTokens?: number;
  readonly thinkingTokens?: number;
  /** All tokens read and written, cached ones included. */
  readonly totalTokens: number;
}

/** Facts and totals of a session. */
export interface SessionMetadata {
  readonly usage?: TokenUsage;
  readonly costUSD?: number;
  readonly model?: string;
  readonly [field: string]: unknown;
}
