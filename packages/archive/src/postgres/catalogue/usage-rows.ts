import type { UsageGrouping, UsageQuery, UsageReport } from '../../catalogue.ts';
import type { LedgerRequest } from '../../ledger.ts';
import { dayGroup, isPeriod, type UsagePeriod, usageReport } from '../../usage/usage-report.ts';
import type { Link, RunStatement } from '../link.ts';
import type { Tables } from '../tables.ts';
import { addScope, Conditions } from './conditions.ts';

export interface SessionRequests {
  readonly session: number;
  readonly requests: readonly LedgerRequest[];
}

/** Replaces the requests of a session and recomputes which session each request counts for. */
export async function writeRequests(
  run: RunStatement,
  tables: Tables,
  { session, requests }: SessionRequests,
): Promise<void> {
  const { catalogueUsage } = tables;
  // The last of several records of one request counts.
  const given = [...new Map(requests.map((request) => [request.key, request])).values()];
  const gone = await run(
    `DELETE FROM ${catalogueUsage} WHERE session = $1::bigint AND NOT key::text = ANY($2::text[]) RETURNING key::text AS key`,
    [session, given.map(({ key }) => key)],
  );
  await run(
    `INSERT INTO ${catalogueUsage} AS u (key, session, at, model, cause, input, output, cache_read, cache_write,
       cache_write_1h, thinking, cost, is_copy, is_counted)
     SELECT r.key::bigint, $1::bigint, r.at, r.model, r.cause, r.input, r.output, r.cache_read, r.cache_write,
       r.cache_write_1h, r.thinking, r.cost::double precision, r.copy = 1, true
     FROM unnest($2::text[], $3::bigint[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[],
       $10::bigint[], $11::bigint[], $12::text[], $13::integer[])
       AS r(key, at, model, cause, input, output, cache_read, cache_write, cache_write_1h, thinking, cost, copy)
     ON CONFLICT (key, session) DO UPDATE SET (at, model, cause, input, output, cache_read, cache_write, cache_write_1h,
       thinking, cost, is_copy) = (excluded.at, excluded.model, excluded.cause, excluded.input, excluded.output,
       excluded.cache_read, excluded.cache_write, excluded.cache_write_1h, excluded.thinking, excluded.cost, excluded.is_copy)
     WHERE (u.at, u.input, u.output, u.cache_read, u.cache_write, u.cost, u.is_copy) IS DISTINCT FROM
       (excluded.at, excluded.input, excluded.output, excluded.cache_read, excluded.cache_write, excluded.cost, excluded.is_copy)`,
    [
      session,
      given.map(({ key }) => key),
      given.map(({ at }) => at),
      given.map(({ model }) => model?.replaceAll('\0', ' ') ?? null),
      given.map(({ cause }) => cause),
      given.map(({ input }) => input),
      given.map(({ output }) => output),
      given.map(({ cacheRead }) => cacheRead),
      given.map(({ cacheWrite }) => cacheWrite),
      given.map(({ cacheWrite1h }) => cacheWrite1h),
      given.map(({ thinking }) => thinking),
      given.map(({ cost }) => (cost === null ? null : String(cost))),
      given.map(({ isCopy }) => (isCopy ? 1 : 0)),
    ],
  );
  const lost = gone.map(({ key }) => String(key));
  await settleRequests(run, tables, [...lost, ...(await sharedKeys(run, tables, session))]);
}

/** Nearly all requests are in one transcript only, so only shared ones are settled one by one. */
export async function sharedKeys(
  run: RunStatement,
  { catalogueUsage }: Tables,
  session: number,
): Promise<readonly string[]> {
  const rows = await run(
    `SELECT DISTINCT mine.key::text AS key FROM ${catalogueUsage} mine
     JOIN ${catalogueUsage} theirs ON theirs.key = mine.key AND theirs.session <> mine.session
     WHERE mine.session = $1::bigint`,
    [session],
  );
  return rows.map(({ key }) => String(key));
}

/**
 * A request counts for one session. In order of preference: not marked as a copy, the most output, the oldest session,
 * a session that still exists. The rule does not depend on the order of reading.
 */
export async function settleRequests(
  run: RunStatement,
  { catalogueUsage, catalogueSession }: Tables,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return;
  await run(
    `WITH ranked AS (SELECT u.key, u.session, row_number() OVER (PARTITION BY u.key
         ORDER BY u.is_copy, u.output DESC, s.created, s.gone IS NOT NULL, s.path, s.native_id) AS place
       FROM ${catalogueUsage} u JOIN ${catalogueSession} s ON s.id = u.session
       WHERE u.key = ANY($1::text[]::bigint[]))
     UPDATE ${catalogueUsage} u SET is_counted = r.place = 1 FROM ranked r
     WHERE u.key = r.key AND u.session = r.session AND u.is_counted <> (r.place = 1)`,
    [keys],
  );
}

/** Whether the session has a request that no other has, or has with less output, so that deleting it loses data. */
export async function holdsMore(
  run: RunStatement,
  { catalogueUsage }: Tables,
  session: number,
): Promise<boolean> {
  const [found] = await run(
    `SELECT 1 AS found FROM ${catalogueUsage} mine WHERE mine.session = $1::bigint AND NOT EXISTS (
       SELECT FROM ${catalogueUsage} theirs WHERE theirs.key = mine.key AND theirs.session <> mine.session
         AND theirs.output >= mine.output) LIMIT 1`,
    [session],
  );
  return found !== undefined;
}

const SUMS = `count(*) AS requests, sum(u.input) AS input, sum(u.output) AS output,
  sum(u.cache_read) AS cache_read, sum(u.cache_write) AS cache_write, sum(u.thinking) AS thinking,
  coalesce(sum(u.cost), 0) AS cost, count(*) - count(u.cost) AS unpriced`;

const MODEL = "coalesce(u.model, 'unknown model')";

/** SQL of each group; weeks and months are summed from days. */
const GROUPS: Readonly<Record<Exclude<UsageGrouping, UsagePeriod>, string>> = {
  model: MODEL,
  agent: 's.agent',
  project: "coalesce(s.project_key, '')",
  session: "s.agent || ':' || s.native_id",
  cause: 'u.cause',
};

const TITLES = {
  session: "max(coalesce(l.name, s.name, s.title, ''))",
  project: "coalesce(max(s.project), '(no project)')",
} as const;

export async function sumStoredUsage(
  link: Link,
  { catalogueUsage, catalogueSession, catalogueLabel }: Tables,
  query: UsageQuery,
): Promise<UsageReport> {
  const { by = 'day', since, until, timeZone } = query;
  const group = isPeriod(by) ? dayGroup(timeZone) : GROUPS[by];
  const conditions = new Conditions().add('u.is_counted');
  addScope(conditions, query);
  if (since !== undefined) conditions.add('u.at >= ?::bigint', Math.floor(since));
  if (until !== undefined) conditions.add('u.at < ?::bigint', Math.floor(until));
  const source = `${catalogueUsage} u JOIN ${catalogueSession} s ON s.id = u.session
    LEFT JOIN ${catalogueLabel} l ON l.type = s.type AND l.native_id = s.native_id WHERE ${conditions}`;
  const title = by === 'session' || by === 'project' ? `, ${TITLES[by]} AS title` : '';
  const [grouped, unpriced] = await Promise.all([
    link.query(
      `SELECT ${group} AS name, ${SUMS}${title} FROM ${source} GROUP BY 1`,
      conditions.values,
    ),
    link.query(
      `SELECT ${MODEL} AS model, count(*) AS requests FROM ${source} AND u.cost IS NULL GROUP BY 1 ORDER BY 2 DESC, 1`,
      conditions.values,
    ),
  ]);
  return usageReport({ by, timeZone, grouped, unpriced });
}
