import type { UsageGrouping, UsageQuery, UsageReport } from '../catalogue.ts';
import { dayGroup, isPeriod, type UsagePeriod, usageReport } from '../usage/usage-report.ts';
import type { CatalogueDatabase } from './database.ts';
import { addScope, SessionConditions } from './session-query.ts';

const SUMS = `count(*) as requests, sum(u.input) as input, sum(u.output) as output,
  sum(u.cache_read) as cache_read, sum(u.cache_write) as cache_write, sum(u.thinking) as thinking,
  coalesce(sum(u.cost), 0) as cost, count(*) - count(u.cost) as unpriced`;

/** SQL of each group; weeks and months are summed from days. */
const GROUPS: Readonly<Record<Exclude<UsageGrouping, UsagePeriod>, string>> = {
  model: "coalesce((select text from word where id = u.model), 'unknown model')",
  agent: 's.agent',
  project: "coalesce(p.key, '')",
  session: "s.agent || ':' || s.native_id",
  cause: '(select text from word where id = u.cause)',
};

const TITLES = {
  session: "max(coalesce(l.name, s.name, s.title, ''))",
  project: "coalesce(max(p.name), '(no project)')",
} as const;

export function sumUsageRows(database: CatalogueDatabase, query: UsageQuery): UsageReport {
  const { by = 'day', since, until, timeZone } = query;
  const group = isPeriod(by) ? dayGroup(timeZone) : GROUPS[by];
  const conditions = new SessionConditions().add('u.counted = 1');
  addScope(database, conditions, query);
  if (since !== undefined) conditions.add('u.at >= ?', since);
  if (until !== undefined) conditions.add('u.at < ?', until);
  const source = `usage u join session s on s.id = u.session left join project p on p.id = s.project
    left join temp.label l on l.type = s.type and l.native_id = s.native_id where ${conditions}`;
  const title = by === 'session' || by === 'project' ? `, ${TITLES[by]} as title` : '';
  const grouped = database.rows(
    `select ${group} as name, ${SUMS}${title} from ${source} group by 1`,
    ...conditions.values,
  );
  const isPriced = grouped.every(({ unpriced }) => unpriced === 0);
  const unpriced = isPriced
    ? []
    : database.rows(
        `select coalesce((select text from word where id = u.model), 'unknown model') as model, count(*) as requests from ${source} and u.cost is null
     group by 1 order by 2 desc, 1`,
        ...conditions.values,
      );
  return usageReport({ by, timeZone, grouped, unpriced });
}
