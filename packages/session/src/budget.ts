import { addUsage, priceUsage, type TokenUsage } from '@robota-sdk/agent-core';
import type { ModelTally } from '@robota-sdk/agent-core/log';

/** Spending limits of a session. */
export interface SpendingLimits {
  readonly maxBudgetTokens?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
}

/** Whether the requests so far, of all models and causes, used up the budget. */
export async function isBudgetSpent(
  { maxBudgetTokens, maxBudgetUsd }: SpendingLimits,
  tallies: readonly ModelTally[],
): Promise<boolean> {
  const used = tallies.reduce<TokenUsage>((sum, { usage }) => addUsage(sum, usage), NOTHING);
  const isReached = (limit: number | undefined, spent: number) =>
    limit !== undefined && spent >= limit;
  if (isReached(maxBudgetTokens, used.inputTokens + used.outputTokens)) return true;
  return maxBudgetUsd !== undefined && isReached(maxBudgetUsd, await costOf(tallies));
}

/** A dollar limit needs prices, so a model without a known price is rejected before the request. */
export async function assertPriceKnown(budget: SpendingLimits, model: string): Promise<void> {
  if (budget.maxBudgetUsd === undefined || (await priceUsage(model, NOTHING)) !== null) return;
  throw Object.assign(
    new Error(
      `No price is known for the model ${model}, so maxBudgetUsd cannot be kept. Set maxBudgetTokens instead.`,
    ),
    { code: 'budget' },
  );
}

const NOTHING: TokenUsage = { inputTokens: 0, outputTokens: 0 };

async function costOf(tallies: readonly ModelTally[]): Promise<number> {
  const prices = await Promise.all(tallies.map(({ model, usage }) => priceUsage(model, usage)));
  return prices.reduce((sum, price) => sum + (price?.costUsd ?? 0), 0);
}
