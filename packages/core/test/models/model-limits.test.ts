import {
  findModelLimits,
  formatTokenCount,
  getModelLimits,
  getModelName,
  priceUsage,
} from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

describe('the model table', () => {
  it.each([
    ['claude-opus-4-6', 1_000_000, 128_000],
    ['claude-sonnet-4-6', 1_000_000, 64_000],
    ['claude-haiku-4-5-20251001', 200_000, 64_000],
    ['claude-sonnet-4-5-20250929', 200_000, 64_000],
    ['claude-opus-4-5-20251101', 200_000, 64_000],
    ['anthropic/claude-sonnet-4.5', 200_000, 64_000],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000, 64_000],
    ['gpt-5.4-mini', 400_000, 128_000],
    ['gemini-2.5-pro', 1_048_576, 65_536],
    ['a-model-nobody-knows', 200_000, 16_384],
  ])('knows what fits into %s', (model, contextWindow, maxOutputTokens) => {
    expect(getModelLimits(model)).toEqual({ contextWindow, maxOutputTokens });
  });

  it('lets an override win field by field', () => {
    const overrides = { 'my-model': { contextWindow: 32_000 } };

    expect(getModelLimits('my-model', overrides)).toEqual({
      contextWindow: 32_000,
      maxOutputTokens: 16_384,
    });
  });

  it('asks the price catalogue about models it does not list', async () => {
    expect(await findModelLimits('gpt-3.5-turbo')).toMatchObject({ contextWindow: 16_385 });
    expect(await findModelLimits('a-model-nobody-knows')).toMatchObject({ contextWindow: 200_000 });
  });

  it('calls models by the names people use', () => {
    expect(getModelName('claude-sonnet-4-5-20250929')).toBe('Claude Sonnet 4.5');
    expect(getModelName('local/llama')).toBe('local/llama');
  });

  it.each([
    [0, '0K'],
    [999, '<1K'],
    [1_500, '1.5K'],
    [200_000, '200K'],
    [999_999, '1M'],
    [1_200_000, '1.2M'],
  ])('writes %i tokens as %s', (tokens, text) => {
    expect(formatTokenCount(tokens)).toBe(text);
  });
});

describe('the price of a request', () => {
  it('counts cached input at its own price', async () => {
    const plain = await priceUsage('claude-sonnet-4-5', { inputTokens: 1_000, outputTokens: 100 });
    const cached = await priceUsage('claude-sonnet-4-5', {
      inputTokens: 1_000,
      outputTokens: 100,
      cacheReadTokens: 400,
      cacheWriteTokens: 100,
    });

    expect(plain?.costUsd).toBeCloseTo(0.0045, 9);
    expect(cached?.costUsd).toBeCloseTo(0.003495, 9);
  });

  it('is null for a model without one', async () => {
    expect(
      await priceUsage('a-model-nobody-knows', { inputTokens: 1, outputTokens: 1 }),
    ).toBeNull();
  });
});
