import { priceUsage, type TokenUsage } from '@robota-sdk/agent-core';
import type { ModelTally, UsageCause } from '@robota-sdk/agent-core/log';

/** One model request that the session itself does not make. */
export interface ModelRequest {
  readonly model: string;
  readonly cause: UsageCause;
  readonly usage: TokenUsage;
}

/** What one model was asked, and what that cost by list price. */
export interface ModelCost extends ModelTally {
  /** Null where no price is known. */
  readonly costUsd: number | null;
}

export function priceTallies(tallies: readonly ModelTally[]): Promise<ModelCost[]> {
  return Promise.all(
    tallies.map(async (tally) => ({
      ...tally,
      costUsd: (await priceUsage(tally.model, tally.usage))?.costUsd ?? null,
    })),
  );
}
