import { checkBudget, parseBudget, type UsageQuery } from '@robota-sdk/agent-archive';
import { SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { claudeLines, claudePath, temporaryHome, writeLines } from '../generated-home.ts';

describe('a budget', () => {
  it.each([
    ['20/day', { dollars: 20, per: 'day' }],
    ['$7.5/week', { dollars: 7.5, per: 'week' }],
    ['300/month', { dollars: 300, per: 'month' }],
    ['20', { dollars: 20, per: 'day' }],
  ])('%s is read', (text, budget) => {
    expect(parseBudget(text)).toEqual(budget);
  });

  it.each(['', 'much', '20/year', '-3/day', '1e9'])('%j is none', (text) => {
    expect(parseBudget(text)).toBeUndefined();
  });

  it('is exceeded by what was spent in the day of now, not by other days', async () => {
    const home = temporaryHome();
    const turns = ['2026-11-01T23:30:00.000Z', '2026-11-02T00:30:00.000Z'].map((at, number) => ({
      id: `t${number}`,
      prompt: 'Hi',
      answer: 'Yes.',
      at,
    }));
    writeLines(claudePath(home, 's1'), claudeLines(turns, { sessionId: 's1' }));
    const catalogue = new SqliteCatalogue({ home, environment: {} });
    onTestFinished(() => catalogue.close());
    await catalogue.refresh();
    const check = (dollars: number, timeZone: string) =>
      checkBudget(
        catalogue,
        { dollars, per: 'day' },
        { now: Date.parse('2026-11-02T01:00:00Z'), timeZone },
      );

    const inUtc = await check(0.0005, 'UTC');
    const inNewYork = await check(0.0005, 'America/New_York');

    expect(inUtc).toMatchObject({ isExceeded: false, unpriced: 0 });
    expect(inUtc.spent).toBeCloseTo(0.00042, 6);
    expect(inNewYork).toMatchObject({ isExceeded: true });
  });

  it('asks for enough of the past to know all of the present month', async () => {
    const asked: (number | undefined)[] = [];
    const usage = async (query: UsageQuery = {}) => {
      asked.push(query.since);
      return { by: 'month' as const, rows: [], total: EMPTY, unpriced: [] };
    };
    const now = Date.parse('2026-10-31T23:00:00Z');

    const state = await checkBudget(
      { usage },
      { dollars: 1, per: 'month' },
      { now, timeZone: 'UTC' },
    );

    expect(asked[0]).toBeLessThanOrEqual(Date.parse('2026-10-01T00:00:00Z'));
    expect(state).toMatchObject({ spent: 0, isExceeded: false });
  });
});

const EMPTY = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  thinkingTokens: 0,
  costUsd: 0,
  unpricedRequests: 0,
};
