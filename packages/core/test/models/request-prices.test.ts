import { calcPrice } from '@pydantic/genai-prices';
import { loadRequestPricer, type PricedTokens } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

const MODELS = [
  'claude-sonnet-4-5',
  'claude-opus-4-5',
  'claude-opus-4-6',
  'gpt-5-codex',
  'gpt-5.4',
  'o3',
  'gemini-2.5-pro',
  'gemini-3.6-flash',
  'deepseek-chat',
];

const TIMES = ['2025-06-01T00:00:00Z', '2026-11-16T17:00:00Z', '2027-02-01T12:00:00Z'];

const REQUESTS: readonly PricedTokens[] = [
  tokens({ input: 1000, output: 200 }),
  tokens({ input: 200_000, output: 1 }),
  tokens({ input: 200_001, output: 1 }),
  tokens({ input: 10, cacheRead: 199_991, output: 4000 }),
  tokens({ input: 271_999 }),
  tokens({ input: 272_000, output: 7 }),
  tokens({ input: 3, cacheRead: 50_000, cacheWrite: 9000, cacheWrite1h: 4000, output: 800 }),
];

function tokens(some: Partial<PricedTokens>): PricedTokens {
  return { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0, ...some };
}

describe('the price of a request', () => {
  it.each(MODELS)('of %s is what the price table says for that moment', async (model) => {
    const pricer = await loadRequestPricer();
    for (const at of TIMES.map((time) => Date.parse(time))) {
      for (const request of REQUESTS) {
        const expected = calcPrice(
          {
            input_tokens: request.input + request.cacheRead + request.cacheWrite,
            output_tokens: request.output,
            cache_read_tokens: request.cacheRead,
            cache_write_tokens: request.cacheWrite,
            cache_write_1h_tokens: request.cacheWrite1h,
          },
          model,
          { timestamp: new Date(at) },
        );

        expect(pricer.price(model, request, at)).toBeCloseTo(
          expected?.total_price ?? Number.NaN,
          9,
        );
      }
    }
  });

  it('is unknown, not nothing, for a model that is not in the table', async () => {
    const pricer = await loadRequestPricer();

    expect(pricer.price('my-local-model', tokens({ input: 5 }), 0)).toBeNull();
    expect(pricer.price('my-local-model', tokens({ input: 5 }), 0)).toBeNull();
  });

  it('is that of each request alone, whatever all of them read together', async () => {
    const pricer = await loadRequestPricer();
    const one = tokens({ input: 3000, output: 100 });
    const each = pricer.price('claude-sonnet-4-5', one, 0) ?? 0;

    expect(each * 100).toBeCloseTo(1.05);
    expect(
      pricer.price('claude-sonnet-4-5', tokens({ input: 300_000, output: 10_000 }), 0),
    ).toBeCloseTo(2.025);
  });
});
