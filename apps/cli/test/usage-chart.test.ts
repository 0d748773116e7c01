import type { UsageReport, UsageSum } from '@robota-sdk/agent-archive';
import { describe, expect, it } from 'vitest';
import { readSince } from '../src/arguments/read-since.ts';
import { budgetNotes, periodStart, readBudget } from '../src/commands/usage/budget.ts';
import { usageChart } from '../src/commands/usage/usage-chart.ts';
import { cellWidth } from '../src/terminal/layout/cell-width.ts';
import { UsageError } from '../src/usage-error.ts';

const sum = (costUsd: number, unpricedRequests = 0): UsageSum => ({
  requests: 3,
  inputTokens: 1_200_000,
  outputTokens: 4200,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  thinkingTokens: 0,
  costUsd,
  unpricedRequests,
});

const report: UsageReport = {
  by: 'project',
  rows: [
    { ...sum(20), key: 'a', label: '日本語のとても長いプロジェクトの名前です' },
    { ...sum(5), key: 'b', label: 'steering \u001b[2J' },
    { ...sum(0, 3), key: 'c', label: 'local' },
  ],
  total: sum(25, 3),
  unpriced: [{ model: 'my-local-model', requests: 3 }],
};

describe('the chart of usage', () => {
  it.each([60, 80, 200])('fits %i columns', (width) => {
    for (const line of usageChart(report, { width, isColoured: false })) {
      expect(cellWidth(line)).toBeLessThanOrEqual(width);
    }
  });

  it('has colours only when asked to, and never those of a transcript', () => {
    const plain = usageChart(report, { width: 80, isColoured: false }).join('\n');
    const coloured = usageChart(report, { width: 80, isColoured: true }).join('\n');

    expect(plain).not.toContain('\u001b');
    expect(coloured).toContain('\u001b[36m█');
    expect(coloured).not.toContain('\u001b[2J');
  });

  it('draws bars in proportion, and does not take an unknown price for nothing', () => {
    const [first = '', second = '', third = '', , unknown] = usageChart(report, {
      width: 200,
      isColoured: false,
    });
    const cells = (line: string) => line.split('█').length - 1;

    expect(cells(second) * 4).toBe(cells(first));
    expect(third).toMatch(/^local +\$\? +3 req/);
    expect(unknown).toBe('+ 3 requests of my-local-model without a known price');
  });
});

describe('a budget', () => {
  it('is for a day unless it says otherwise', () => {
    expect([readBudget('20'), readBudget('$7.5/week')]).toEqual([
      { amount: 20, per: 'day' },
      { amount: 7.5, per: 'week' },
    ]);
  });

  it.each(['', 'x', '20/year', '-3/day'])('cannot be %j', (text) => {
    expect(() => readBudget(text)).toThrow(UsageError);
  });

  it('looks at the week from Monday on', () => {
    const sunday = new Date(2026, 10, 15, 12);

    expect(new Date(periodStart({ amount: 1, per: 'week' }, sunday))).toEqual(
      new Date(2026, 10, 9),
    );
  });

  it('names each period that cost more', () => {
    expect(budgetNotes({ amount: 10, per: 'day' }, report)).toEqual([
      expect.stringContaining('cost $20.00, $10.00 more than $10.00 a day'),
      'Not part of it: 3 requests without a known price.',
    ]);
  });

  it('speaks of a single request without a price as one', () => {
    const one = { ...report, rows: [], total: { ...report.total, unpricedRequests: 1 } };

    expect(budgetNotes({ amount: 10, per: 'day' }, one)).toEqual([
      'Not part of it: 1 request without a known price.',
    ]);
  });
});

describe('--since', () => {
  const now = new Date(2026, 10, 16, 15, 30).getTime();

  it.each([
    ['today', new Date(2026, 10, 16)],
    ['yesterday', new Date(2026, 10, 15)],
    ['24h', new Date(2026, 10, 15, 15, 30)],
    ['2w', new Date(2026, 10, 2, 15, 30)],
    ['2026-11-01', new Date(2026, 10, 1)],
    ['2026-11', new Date(2026, 10, 1)],
  ])('takes %s', (text, time) => {
    expect(readSince(text, now)).toBe(time.getTime());
  });
});
