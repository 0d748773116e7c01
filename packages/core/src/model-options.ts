import type { ThinkingEffort } from './provider.ts';
import type { RetryPolicy } from './run/retry-policy.ts';

/** Options for model requests, the same from the SDK down to the engine. */
export interface ModelOptions {
  readonly model?: string | undefined;
  /** Maximum tokens of one reply. */
  readonly maxTokens?: number | undefined;
  readonly temperature?: number | undefined;
  readonly thinking?: ThinkingEffort | undefined;
  /** Texts at which the model ends its reply; they are not part of it. */
  readonly stopSequences?: readonly string[] | undefined;
  /** Models of the same provider, tried in this order when the previous one is overloaded, down or unknown. */
  readonly fallbackModels?: readonly string[] | undefined;
  /** Maximum tokens of a session, input and output, including subagents and summaries. */
  readonly maxBudgetTokens?: number | undefined;
  /** Maximum cost of a session in US dollars, by list price; all models used must have a known price. */
  readonly maxBudgetUsd?: number | undefined;
  readonly retry?: RetryPolicy | undefined;
  /** Maximum concurrent tools of one reply; 5 when left out. */
  readonly toolConcurrency?: number | undefined;
  /** The context window in tokens; taken from the model table when left out. */
  readonly contextMaxTokens?: number | undefined;
  /** Milliseconds a provider call may be idle before it fails. */
  readonly providerTimeout?: number | undefined;
}
