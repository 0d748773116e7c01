import type { UsageGrouping, UsageReport, UsageRow, UsageSum } from '../catalogue.ts';
import { CalendarDays } from './calendar-days.ts';

type SumRow = Readonly<Record<string, unknown>>;

/** What a database has summed up: `name` is the group, or the number of the day since 1970 where groups are times. */
export interface GroupedUsage {
  readonly by: UsageGrouping;
  readonly timeZone: string | undefined;
  readonly grouped: readonly SumRow[];
  /** Models without a price, as `model` and `requests`. */
  readonly unpriced: readonly SumRow[];
}

/** Groupings by time. */
export type UsagePeriod = 'day' | 'week' | 'month';

export function isPeriod(by: UsageGrouping): by is UsagePeriod {
  return by === 'day' || by === 'week' || by === 'month';
}

/** The day of a request `u` in a time zone, in SQL. */
export function dayGroup(timeZone: string | undefined): string {
  return new CalendarDays(timeZone).daySql('u.at', Date.now() + YEAR_MS);
}

/** Clocks of other machines may be ahead. */
const YEAR_MS = 366 * 86_400_000;

/** The report of what was summed up by group, in order, with the sum of all. */
export function usageReport({ by, timeZone, grouped, unpriced }: GroupedUsage): UsageReport {
  const rows = isPeriod(by)
    ? byTime(grouped, by, new CalendarDays(timeZone))
    : grouped.map((row) => toRow(String(row.name), String(row.title || row.name), toSum(row)));
  return {
    by,
    rows: isPeriod(by) ? rows.sort(byKey) : rows.sort(byCost),
    total: rows.reduce<UsageSum>(addSums, NOTHING),
    unpriced: unpriced.map(({ model, requests }) => ({
      model: String(model),
      requests: Number(requests),
    })),
  };
}

function byTime(grouped: readonly SumRow[], by: UsagePeriod, calendar: CalendarDays): UsageRow[] {
  const sums = new Map<string, UsageSum>();
  for (const row of grouped) {
    const key = calendar.keyOfDay(Number(row.name), by);
    sums.set(key, addSums(sums.get(key) ?? NOTHING, toSum(row)));
  }
  return [...sums].map(([key, sum]) => toRow(key, calendar.labelOf(key, by), sum));
}

function toRow(key: string, label: string, sum: UsageSum): UsageRow {
  return { key, label, ...sum };
}

function toSum(row: SumRow): UsageSum {
  return {
    requests: Number(row.requests),
    inputTokens: Number(row.input),
    outputTokens: Number(row.output),
    cacheReadTokens: Number(row.cache_read),
    cacheWriteTokens: Number(row.cache_write),
    thinkingTokens: Number(row.thinking),
    costUsd: Number(row.cost),
    unpricedRequests: Number(row.unpriced),
  };
}

const NOTHING: UsageSum = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  cacheWriteTokens: 0,
  thinkingTokens: 0,
  costUsd: 0,
  unpricedRequests: 0,
};

function addSums(one: UsageSum, other: UsageSum): UsageSum {
  return {
    requests: one.requests + other.requests,
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    cacheReadTokens: one.cacheReadTokens + other.cacheReadTokens,
    cacheWriteTokens: one.cacheWriteTokens + other.cacheWriteTokens,
    thinkingTokens: one.thinkingTokens + other.thinkingTokens,
    costUsd: one.costUsd + other.costUsd,
    unpricedRequests: one.unpricedRequests + other.unpricedRequests,
  };
}

function byKey(one: UsageRow, other: UsageRow): number {
  return one.key < other.key ? -1 : 1;
}

function byCost(one: UsageRow, other: UsageRow): number {
  return other.costUsd - one.costUsd || other.requests - one.requests || byKey(one, other);
}
