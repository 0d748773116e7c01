import type { ThinkingEffort } from './provider.ts';
import type { RetryPolicy } from './run/retry-policy.ts';

/** How a model is asked: the same options from the SDK's front door down to the engine. */
export interface ModelOptions {
  readonly model?: string | undefined;
  /** Tokens one reply may have. */
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly thinking?: ThinkingEffort | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Tools of one reply that run at the same time; 5 when left out. */
  readonly toolConcurrency?: number | undefined;
  /** The context window in tokens, where the model table is not to be asked. */
  readonly contextMaxTokens?: number | undefined;
  /** Milliseconds without a sign of life before a provider call is given up. */
  readonly providerTimeout?: number | undefined;
}
