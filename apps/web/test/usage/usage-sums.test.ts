import { describe, expect, it } from 'vitest';
import type { UsageRow } from '../../src/api-types.ts';
import { formatAge, formatCost, formatCount, formatDuration } from '../../src/format.ts';
import { readRoute, sessionAddress } from '../../src/route.ts';
import { readSearchQuery } from '../../src/search/search-query.ts';
import { agentsOf, dayBars, niceMaximum, totalsOf } from '../../src/usage/usage-sums.ts';

const row = (change: Partial<UsageRow>): UsageRow => ({
  key: '2026-11-15',
  label: 'Sat 15',
  requests: 1,
  input_tokens: 10,
  output_tokens: 5,
  cache_read_tokens: 30,
  cache_write_tokens: 0,
  unpriced_requests: 0,
  ...change,
});

describe('usage', () => {
  it('is summed up, and an unknown price never counts as zero', () => {
    expect(totalsOf([row({}), row({ unpriced_requests: 2 })])).toEqual({
      cost: undefined,
      read: 80,
      written: 10,
      cachedShare: 75,
      unpriced: 2,
    });
    expect(totalsOf([row({ cost_usd: 0.5 }), row({})]).cost).toBe(0.5);
  });

  it('has a bar for every day, with the largest agents at the bottom', () => {
    const rows = [row({ agent: 'a' }), row({ agent: 'b', output_tokens: 50 })];

    expect(agentsOf(rows)).toEqual(['b', 'a']);
    expect(dayBars(rows, { from: '2026-11-14', to: '2026-11-15' })).toEqual([
      {
        day: '2026-11-14',
        total: 0,
        parts: [
          { agent: 'b', amount: 0 },
          { agent: 'a', amount: 0 },
        ],
      },
      {
        day: '2026-11-15',
        total: 55,
        parts: [
          { agent: 'b', amount: 50 },
          { agent: 'a', amount: 5 },
        ],
      },
    ]);
  });

  it.each([
    [0, 1],
    [7, 10],
    [18_000, 20_000],
    [249_000, 250_000],
  ])('ends its scale above %i at %i', (highest, top) => expect(niceMaximum(highest)).toBe(top));
});

it('formats numbers for readers', () => {
  expect([812, 38_100, 412_000, 2_100_000].map(formatCount)).toEqual([
    '812',
    '38.1k',
    '412k',
    '2.1M',
  ]);
  expect([4, 2300, 72_000].map(formatDuration)).toEqual(['0.01 s', '2.3 s', '1 min 12 s']);
  expect([0, 240_000, 10_800_000].map((age) => formatAge(0, age))).toEqual(['now', '4m', '3h']);
  expect([0.382, undefined].map(formatCost)).toEqual(['$0.38', 'unknown']);
});

it('parses the addresses it creates', () => {
  const session = { agent: 'acp:my agent', id: 'a/b%?#' };
  const address = new URL(sessionAddress(session, { thread: 't 1', block: 7 }), 'http://x');

  expect(readRoute(address.pathname, address.search)).toEqual({
    page: 'session',
    ...session,
    thread: 't 1',
    block: '7',
  });
  expect(readRoute('/s/robota/%E0%A4%A', '')).toMatchObject({ id: '%E0%A4%A' });
  expect(readRoute('/search', '?q=a+b')).toEqual({ page: 'search', query: 'a b' });
});

it('separates filters from the search text', () => {
  expect(readSearchQuery('agent:codex two words project:relay')).toEqual({
    q: 'two words',
    agent: 'codex',
    project: 'relay',
  });
});
