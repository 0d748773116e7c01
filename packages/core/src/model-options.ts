import type { ThinkingEffort } from './provider.ts';
import type { RetryPolicy } from './run/retry-policy.ts';

/** How a model is asked: the same options from the SDK down to the engine. */
export interface ModelOptions {
  readonly model?: string | undefined;
  /** Tokens one reply may have. */
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly thinking?: ThinkingEffort | undefined;
  /** Texts at which the model ends its reply; they are not part of it. */
  readonly stopSequences?: readonly string[] | undefined;
  /** Models of the same provider, asked in this order when the one before is overloaded, down or unknown. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** Tokens a session may use in all, input and output, subagents and summaries included. */
  readonly maxBudgetTokens?: number | undefined;
  /** US dollars a session may cost in all, by list price; the models asked must have a known one. */
  readonly maxBudgetUsd?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Tools of one reply that run at the same time; 5 when left out. */
  readonly toolConcurrency?: number | undefined;
  /** The context window in tokens, where the model table is not to be asked. */
  readonly contextMaxTokens?: number | undefined;
  /** Milliseconds without a sign of life before a provider call is given up. */
  readonly providerTimeout?: number | undefined;
}
