import type { TokenUsage } from '../context/usage.ts';
import { findModelRow, getModelLimits, type ModelOverrides } from './model-limits.ts';
import type { ModelLimits } from './model-table.ts';

/** Cost of a request by list price; null for a model without a known price. */
export async function priceUsage(
  model: string,
  usage: TokenUsage,
): Promise<{ readonly costUsd: number } | null> {
  const { calcPrice } = await priceCatalogue();
  const price = calcPrice(
    {
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      cache_read_tokens: usage.cacheReadTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
    },
    model,
  );
  return price && { costUsd: price.total_price };
}

/** Like `getModelLimits`, but uses the price catalogue for models missing from the built-in table. */
export async function findModelLimits(
  model: string,
  overrides: ModelOverrides = {},
): Promise<ModelLimits> {
  const known = getModelLimits(model, overrides);
  if (findModelRow(model) !== undefined || overrides[model]?.contextWindow !== undefined) {
    return known;
  }
  const { calcPrice } = await priceCatalogue();
  const window = calcPrice({ input_tokens: 1 }, model)?.model.context_window;
  return window === undefined ? known : { ...known, contextWindow: window };
}

/** Half a megabyte of prices, loaded on first use. */
function priceCatalogue() {
  return import('@pydantic/genai-prices');
}
