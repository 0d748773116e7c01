import { priceUsage, type TokenUsage } from '@robota-sdk/agent-core';
import type { ModelTally, UsageCause } from '@robota-sdk/agent-core/log';

/** A model request made outside the session's own turns. */
export interface ExtraModelRequest {
  readonly model: string;
  readonly cause: UsageCause;
  readonly usage: TokenUsage;
}

/** Requests and usage of one model, with their cost by list price. */
export interface ModelCost extends ModelTally {
  /** Null when no price is known. */
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
