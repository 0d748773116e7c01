import type { UsageRow } from '../api-types.ts';

export interface UsageTotals {
  readonly cost: number | undefined;
  readonly read: number;
  readonly written: number;
  /** Percentage of input tokens read from a cache. */
  readonly cachedShare: number;
  readonly unpriced: number;
}

/** Input includes cached tokens. */
export function totalsOf(rows: readonly UsageRow[]): UsageTotals {
  const sum = (of: (row: UsageRow) => number) => rows.reduce((total, row) => total + of(row), 0);
  const fresh = sum((row) => row.input_tokens);
  const cached = sum((row) => row.cache_read_tokens);
  const isPriced = rows.some(({ cost_usd }) => cost_usd !== undefined);
  return {
    cost: isPriced ? sum((row) => row.cost_usd ?? 0) : undefined,
    read: fresh + cached,
    written: sum((row) => row.output_tokens),
    cachedShare: fresh + cached === 0 ? 0 : Math.round((cached / (fresh + cached)) * 100),
    unpriced: sum((row) => row.unpriced_requests),
  };
}

export interface DayBar {
  /** `2026-11-16`. */
  readonly day: string;
  readonly parts: readonly { readonly agent: string; readonly amount: number }[];
  readonly total: number;
}

/** Output tokens, or dollars. */
export type UsageMetric = 'tokens' | 'cost';

export function amountOf(row: UsageRow, metric: UsageMetric): number {
  return metric === 'cost' ? (row.cost_usd ?? 0) : row.output_tokens;
}

/** One bar per day of the range, including days without usage. */
export function dayBars(
  rows: readonly UsageRow[],
  range: { readonly from: string; readonly to: string },
  metric: UsageMetric = 'tokens',
): readonly DayBar[] {
  const agents = agentsOf(rows);
  return daysBetween(range.from, range.to).map((day) => {
    const parts = agents.map((agent) => ({
      agent,
      amount: rows
        .filter((row) => row.key === day && (row.agent ?? '') === agent)
        .reduce((total, row) => total + amountOf(row, metric), 0),
    }));
    return { day, parts, total: parts.reduce((total, { amount }) => total + amount, 0) };
  });
}

/** Agents with the most output first, so that stacking order is stable across days. */
export function agentsOf(rows: readonly UsageRow[]): readonly string[] {
  const written = new Map<string, number>();
  for (const { agent = '', output_tokens: tokens } of rows) {
    written.set(agent, (written.get(agent) ?? 0) + tokens);
  }
  return [...written.entries()].sort((left, right) => right[1] - left[1]).map(([agent]) => agent);
}

function daysBetween(from: string, to: string): readonly string[] {
  const days: string[] = [];
  const last = Date.parse(`${to}T00:00:00Z`);
  for (let at = Date.parse(`${from}T00:00:00Z`); at <= last; at += 86_400_000) {
    days.push(new Date(at).toISOString().slice(0, 10));
  }
  return days;
}

/** A round axis maximum at or above the highest bar. */
export function niceMaximum(highest: number): number {
  if (highest <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(highest));
  const step = [1, 2, 2.5, 5, 10].find((factor) => factor * power >= highest) ?? 10;
  return step * power;
}
