import type { UsageGrouping, UsageQuery, UsageReport, UsageRow, UsageSum } from '../catalogue.ts';
import { CalendarDays } from '../usage/calendar-days.ts';
import type { CatalogueDatabase, SqlRow } from './database.ts';
import { addScope, SessionConditions } from './session-query.ts';

const SUMS = `count(*) as requests, sum(u.input) as input, sum(u.output) as output,
  sum(u.cache_read) as cache_read, sum(u.cache_write) as cache_write, sum(u.thinking) as thinking,
  coalesce(sum(u.cost), 0) as cost, count(*) - count(u.cost) as unpriced`;

/** What each group is called in SQL; days are put together from half hours, which every time zone is made of. */
const GROUPS: Readonly<Record<UsageGrouping, string>> = {
  day: 'u.at / 1800000',
  week: 'u.at / 1800000',
  month: 'u.at / 1800000',
  model: "coalesce((select text from word where id = u.model), 'unknown model')",
  agent: 's.agent',
  project: "coalesce(p.name, '(no project)')",
  session: "s.agent || ':' || s.native_id",
  cause: '(select text from word where id = u.cause)',
};

export function sumUsageRows(database: CatalogueDatabase, query: UsageQuery): UsageReport {
  const { by = 'day', since, until, timeZone } = query;
  const conditions = new SessionConditions().add('u.counted = 1');
  addScope(conditions, query);
  if (since !== undefined) conditions.add('u.at >= ?', since);
  if (until !== undefined) conditions.add('u.at < ?', until);
  const source = `usage u join session s on s.id = u.session left join project p on p.id = s.project
    where ${conditions}`;
  const title = by === 'session' ? ", max(coalesce(s.title, '')) as title" : '';
  const grouped = database.rows(
    `select ${GROUPS[by]} as name, ${SUMS}${title} from ${source} group by 1`,
    ...conditions.values,
  );
  const unpriced = database.rows(
    `select coalesce((select text from word where id = u.model), 'unknown model') as model, count(*) as requests from ${source} and u.cost is null
     group by 1 order by 2 desc, 1`,
    ...conditions.values,
  );
  const isTime = by === 'day' || by === 'week' || by === 'month';
  const rows = isTime
    ? byTime(grouped, by, new CalendarDays(timeZone))
    : grouped.map((row) => toRow(String(row.name), String(row.title || row.name), toSum(row)));
  return {
    by,
    rows: isTime ? rows.sort(byKey) : rows.sort(byCost),
    total: rows.reduce<UsageSum>(addSums, NOTHING),
    unpriced: unpriced.map(({ model, requests }) => ({
      model: String(model),
      requests: Number(requests),
    })),
  };
}

function byTime(
  grouped: readonly SqlRow[],
  by: 'day' | 'week' | 'month',
  calendar: CalendarDays,
): UsageRow[] {
  const sums = new Map<string, UsageSum>();
  for (const row of grouped) {
    const key = calendar.keyOf(Number(row.name) * 1_800_000, by);
    sums.set(key, addSums(sums.get(key) ?? NOTHING, toSum(row)));
  }
  return [...sums].map(([key, sum]) => toRow(key, calendar.labelOf(key, by), sum));
}

function toRow(key: string, label: string, sum: UsageSum): UsageRow {
  return { key, label, ...sum };
}

function toSum(row: SqlRow): UsageSum {
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
