import type { ModelPrice, PriceCalculation } from '@pydantic/genai-prices';

/** Tokens of one request; each token is counted in one field only. */
export interface PricedTokens {
  /** Without tokens read from or written to a cache. */
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  /** All cache writes, whatever their lifetime. */
  readonly cacheWrite: number;
  /** The part of `cacheWrite` with a lifetime of one hour. */
  readonly cacheWrite1h: number;
}

/** Prices requests by the list price at the time of each request. */
export interface RequestPricer {
  /** In US dollars; null for a model without a known price, which is not the same as free. */
  price(model: string, tokens: PricedTokens, at: number): number | null;
}

/** Loads half a megabyte of prices. Rates are cached per model, because a lookup takes half a millisecond. */
export async function loadRequestPricer(): Promise<RequestPricer> {
  const { calcPrice } = await import('@pydantic/genai-prices');
  const models = new Map<string, ModelRates>();

  const lookUp = (model: string, at: number) =>
    calcPrice({ input_tokens: 1 }, model, { timestamp: new Date(at) });

  const ratesOf = (model: string, at: number): ModelPrice | null => {
    const known = models.get(model);
    const found = known?.byPeriod.get(periodOf(known.timing, at));
    if (found !== undefined) return found;
    const price = lookUp(model, at);
    const own = known ?? { timing: timingOf(price), byPeriod: new Map() };
    models.set(model, own);
    own.byPeriod.set(periodOf(own.timing, at), price?.model_price ?? null);
    return price?.model_price ?? null;
  };

  return {
    price(model, tokens, at) {
      const found = ratesOf(model, at);
      return found === null ? null : costOf(found, tokens);
    },
  };
}

/** Rates of a model in each period in which they can differ. */
interface ModelRates {
  readonly timing: Timing;
  readonly byPeriod: Map<number, ModelPrice | null>;
}

/** How often a price can change. */
type Timing = 'never' | 'daily' | 'by the minute';

function timingOf(price: PriceCalculation | null): Timing {
  const prices = price?.model.prices;
  if (!Array.isArray(prices)) return 'never';
  const isByHour = prices.some(({ constraint }) => constraint?.type === 'time_of_date');
  return isByHour ? 'by the minute' : 'daily';
}

function periodOf(timing: Timing, at: number): number {
  if (timing === 'never') return 0;
  return Math.floor(at / (timing === 'daily' ? 86_400_000 : 60_000));
}

function costOf(rates: ModelPrice, tokens: PricedTokens): number {
  const { input, output, cacheRead, cacheWrite, cacheWrite1h } = tokens;
  const prompt = input + cacheRead + cacheWrite;
  const inputRate = rateFor(rates.input_mtok, prompt) ?? 0;
  const writeRate = rateFor(rates.cache_write_mtok, prompt) ?? inputRate;
  const total =
    input * inputRate +
    cacheRead * (rateFor(rates.cache_read_mtok, prompt) ?? inputRate) +
    (cacheWrite - cacheWrite1h) * writeRate +
    cacheWrite1h * (rateFor(rates.cache_write_1h_mtok, prompt) ?? writeRate) +
    output * (rateFor(rates.output_mtok, prompt) ?? 0);
  return total / 1_000_000;
}

/** A request beyond a threshold is charged entirely at the higher rate. */
function rateFor(price: ModelPrice[string], prompt: number): number | undefined {
  if (price === undefined || typeof price === 'number') return price;
  return price.tiers.findLast(({ start }) => prompt > start)?.price ?? price.base;
}
