import { addUsage, priceUsage, type TokenUsage } from '@robota-sdk/agent-core';
import type { ModelTally } from '@robota-sdk/agent-core/log';

/** What a session may use up. */
export interface Budget {
  readonly maxBudgetTokens?: number | undefined;
  readonly maxBudgetUsd?: number | undefined;
}

/** Whether what was asked so far, by every model and for every cause, has used the budget up. */
export async function isBudgetSpent(
  { maxBudgetTokens, maxBudgetUsd }: Budget,
  tallies: readonly ModelTally[],
): Promise<boolean> {
  const used = tallies.reduce<TokenUsage>((sum, { usage }) => addUsage(sum, usage), NOTHING);
  const isOut = (limit: number | undefined, spent: number) => limit !== undefined && spent >= limit;
  if (isOut(maxBudgetTokens, used.inputTokens + used.outputTokens)) return true;
  return maxBudgetUsd !== undefined && isOut(maxBudgetUsd, await costOf(tallies));
}

/** A limit in dollars that nobody can check is none: a model without a price is refused before it is asked. */
export async function assertPriceKnown(budget: Budget, model: string): Promise<void> {
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
