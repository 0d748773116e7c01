import type { UsageGrouping, UsageReport, UsageRow, UsageSum } from '../catalogue.ts';
import { CalendarDays } from './calendar-days.ts';

type SumRow = Readonly<Record<string, unknown>>;

/** Sums from a database; `name` is the group, or the day number since 1970 for periods. */
export interface GroupedUsage {
  readonly by: UsageGrouping;
  readonly timeZone: string | undefined;
  readonly grouped: readonly SumRow[];
  /** Models without a price, as `model` and `requests`. */
  readonly unpriced: readonly SumRow[];
}

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

/** Builds a report of sorted groups and their total. */
export function usageReport({ by, timeZone, grouped, unpriced }: GroupedUsage): UsageReport {
  const rows = isPeriod(by)
    ? byTime(grouped, by, new CalendarDays(timeZone))
    : (by === 'project' ? withPlainKeys(grouped) : grouped).map((row) =>
        toRow(String(row.name), String(row.title || row.name), toSum(row)),
      );
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

/** A project is known by its name, unless others have the same; then by what tells them apart. */
function withPlainKeys(grouped: readonly SumRow[]): readonly SumRow[] {
  const counts = new Map<unknown, number>();
  for (const { title } of grouped) counts.set(title, (counts.get(title) ?? 0) + 1);
  return grouped.map((row) => {
    if ((counts.get(row.title) ?? 0) < 2) return { ...row, name: row.title };
    const [kind = '', ...rest] = String(row.name).split(':');
    const place = rest.join(':');
    const detail = kind === 'commit' ? `commit ${place.slice(0, 8)}` : place;
    return { ...row, title: `${String(row.title)} (${detail})` };
  });
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
