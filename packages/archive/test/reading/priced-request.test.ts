import type { ModelRequest } from '@robota-sdk/agent-transcript';
import { describe, expect, it } from 'vitest';
import { toLedgerRequest } from '../../src/reading/priced-request.ts';

const unknownPrices = { price: () => null };

function request(usage: Partial<ModelRequest['usage']>, more: Partial<ModelRequest> = {}) {
  const { inputTokens = 10, outputTokens = 5, totalTokens = 15, ...rest } = usage;
  return toLedgerRequest(
    'pi',
    {
      id: 'r1',
      at: '2026-11-01T00:00:00.000Z',
      model: 'm',
      cause: 'turn',
      thread: 'main',
      usage: { inputTokens, outputTokens, totalTokens, ...rest },
      promptTokens: inputTokens,
      ...more,
    },
    unknownPrices,
  );
}

describe('a request', () => {
  it('has each token in one field', () => {
    const { input, output, cacheRead, cacheWrite } = request({
      inputTokens: 100,
      cacheReadTokens: 60,
      cacheWriteTokens: 30,
      outputTokens: 5,
      totalTokens: 108,
    });

    expect({ input, output, cacheRead, cacheWrite }).toEqual({
      input: 10,
      output: 8,
      cacheRead: 60,
      cacheWrite: 30,
    });
  });

  it.each([1e308, 2 ** 53 + 2, Number.POSITIVE_INFINITY, Number.NaN, -5])(
    'counts nothing for a damaged count of %s',
    (count) => {
      const { input, output, cacheRead, cacheWrite, thinking } = request({
        inputTokens: count,
        outputTokens: count,
        cacheReadTokens: count,
        cacheWriteTokens: count,
        thinkingTokens: count,
        totalTokens: count,
      });

      expect([input, output, cacheRead, cacheWrite, thinking]).toEqual([0, 0, 0, 0, 0]);
    },
  );

  it.each([
    [0.5, 0.5],
    [0, null],
    [1e300, null],
    [undefined, null],
  ])('that its agent priced at %s costs %s when the table knows no price', (costUSD, cost) => {
    expect(request({}, { costUSD }).cost).toBe(cost);
  });
});
