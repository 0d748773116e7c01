import {
  type ContextEstimate,
  type ContextWindowState,
  contextWindowState,
  estimateContextTokensFromMessages,
  getModelLimits,
  type Message,
} from '@robota-sdk/agent-core';

/** Share of the window that triggers automatic compaction; false disables it. */
export type AutoCompactThreshold = number | false;

const DEFAULT_THRESHOLD = 0.835;

/** Tracks how full the context window is, by the engine's estimate, and when to compact. */
export class ContextWindowTracker {
  readonly #maxTokens: number | undefined;
  #model: string;
  #usedTokens = 0;
  #threshold: AutoCompactThreshold;

  constructor(model: string, contextMaxTokens?: number, threshold?: AutoCompactThreshold) {
    this.#model = model;
    this.#maxTokens = contextMaxTokens;
    this.#threshold = checkThreshold(threshold ?? DEFAULT_THRESHOLD);
  }

  /** If the last message reports usage, that is exact; otherwise the larger estimate is used. */
  updateFromHistory(
    messages: readonly Message[],
    options: { readonly usageFloorTokens?: number } = {},
  ): ContextWindowState {
    return this.updateFromEstimate(estimateContextTokensFromMessages(messages, options));
  }

  /** Like `updateFromHistory`, from the engine's running estimate and messages about to follow. */
  updateFromEstimate(
    estimate: ContextEstimate,
    pending: readonly Message[] = [],
  ): ContextWindowState {
    if (pending.length === 0) {
      this.#usedTokens = estimate.usedTokens;
    } else {
      const { serializedTokens: added } = estimateContextTokensFromMessages(pending);
      const serialized = estimate.serializedTokens + added;
      this.#usedTokens = Math.max(serialized, estimate.providerTokens ?? 0);
    }
    return this.getState();
  }

  shouldAutoCompact(): boolean {
    if (this.#threshold === false) return false;
    return this.getState().usedPercentage >= this.#threshold * 100;
  }

  getState(): ContextWindowState {
    return contextWindowState(this.#usedTokens, this.getMaxTokens());
  }

  getMaxTokens(): number {
    return this.#maxTokens ?? getModelLimits(this.#model).contextWindow;
  }

  setModel(model: string): void {
    this.#model = model;
  }

  getAutoCompactThreshold(): AutoCompactThreshold {
    return this.#threshold;
  }

  setAutoCompactThreshold(threshold: AutoCompactThreshold): void {
    this.#threshold = checkThreshold(threshold);
  }

  reset(): void {
    this.#usedTokens = 0;
  }
}

function checkThreshold(threshold: AutoCompactThreshold): AutoCompactThreshold {
  const isShare = typeof threshold === 'number' && threshold > 0 && threshold <= 1;
  if (isShare || threshold === false) return threshold;
  throw new RangeError('autoCompactThreshold must be a number greater than 0 and at most 1.');
}
