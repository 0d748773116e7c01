import {
  type CatalogueSession,
  columnsOf,
  fit,
  formatAge,
  formatCount,
  formatDollars,
  renderSessionList,
  renderUsageChart,
  type UsageReport,
  type UsageRow,
} from '@robota-sdk/agent-archive';
import { describe, expect, it } from 'vitest';

const NOW = 1_800_000_000_000;

function session(some: Partial<CatalogueSession>): CatalogueSession {
  return {
    agent: 'claude',
    type: 'claude-agent-sdk',
    id: '0123456789',
    title: 'Fix the parser',
    name: undefined,
    preview: '',
    project: 'robota',
    cwd: '/work',
    model: undefined,
    branch: undefined,
    createdAt: NOW,
    updatedAt: NOW - 7_200_000,
    messages: 12,
    costUsd: 0.5,
    unpriced: 0,
    forkOf: undefined,
    isLive: false,
    isPinned: false,
    isArchived: false,
    path: '/x',
    ...some,
  };
}

function usageRow(label: string, costUsd: number, unpricedRequests = 0): UsageRow {
  return {
    key: label,
    label,
    requests: 10,
    inputTokens: 1000,
    outputTokens: 500,
    cacheReadTokens: 8500,
    cacheWriteTokens: 0,
    thinkingTokens: 0,
    costUsd,
    unpricedRequests,
  };
}

describe('a list of sessions', () => {
  it('is one aligned line each, with marks for live, pinned and forked ones', () => {
    const lines = renderSessionList(
      [
        session({ isLive: true }),
        session({ agent: 'pi', title: '解析器', isPinned: true, unpriced: 2 }),
        session({ forkOf: 'x', costUsd: 0, unpriced: 1, messages: 3 }),
      ],
      { width: 100, now: NOW },
    );

    expect(lines).toEqual([
      '● claude  01234567  2h  Fix the parser    robota  12 msg     $0.50',
      '★ pi      01234567  2h  解析器            robota  12 msg    $0.50+',
      '  claude  01234567  2h  ⑂ Fix the parser  robota   3 msg  no price',
    ]);
  });

  it('fits the window', () => {
    const lines = renderSessionList([session({ title: 'word '.repeat(40) })], {
      width: 80,
      now: NOW,
    });

    expect(lines.map(columnsOf).every((columns) => columns <= 80)).toBe(true);
    expect(lines[0]).toContain('…');
  });
});

describe('a chart of usage', () => {
  const report: UsageReport = {
    by: 'day',
    rows: [usageRow('Thu 12', 20), usageRow('Fri 13', 5)],
    total: { ...usageRow('', 25), requests: 20 },
    unpriced: [{ model: 'my-local-model', requests: 61 }],
  };

  it('has bars as long as the cost', () => {
    expect(renderUsageChart(report, 60)).toEqual([
      'Thu 12  $20.00  10 req  1.5k  10k  █████████████████████████',
      'Fri 13   $5.00  10 req  1.5k  10k  ██████▎',
      'total   $25.00  20 req  1.5k  10k',
      '+ requests without a known price: 61 of my-local-model',
    ]);
  });

  it('leaves the bars out where there is no room, and says when there is nothing', () => {
    expect(renderUsageChart(report, 30)[0]).toBe('Thu 12  $20.00  10 req  1.5k  10k');
    expect(renderUsageChart({ ...report, rows: [] }, 60)).toEqual(['No requests.']);
  });
});

it('writes numbers for people', () => {
  expect([0, 999, 1000, 12_345, 2_000_000, 1.2e9].map(formatCount)).toEqual([
    '0',
    '999',
    '1.0k',
    '12k',
    '2.0M',
    '1.2B',
  ]);
  expect([0, 21.866, 0.0042, 0.00001].map(formatDollars)).toEqual([
    '$0.00',
    '$21.87',
    '$0.0042',
    '<$0.0001',
  ]);
  expect([0, 5 * 60_000, 5 * 3_600_000, 3 * 86_400_000, 30 * 86_400_000].map(formatAge)).toEqual([
    'now',
    '5m',
    '5h',
    '3d',
    '4w',
  ]);
});

it('fits text into columns, wide characters included', () => {
  expect(fit('解析器', 5)).toBe('解析…');
  expect(fit('ab', 4, 'right')).toBe('  ab');
  expect(columnsOf('é解')).toBe(3);
});
