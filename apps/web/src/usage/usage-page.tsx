import { useEffect, useState } from 'react';
import type { UsageGroup, UsageRow } from '../api-types.ts';
import { formatCost, formatCount, plural } from '../format.ts';
import { usePage } from '../page-context.ts';
import { agentName } from '../sessions/agent-badge.tsx';
import { ChartLegend, UsageChart } from './usage-chart.tsx';
import { agentsOf, dayBars, totalsOf } from './usage-sums.ts';

const SPANS = [7, 30, 90] as const;
const GROUPS: readonly { readonly group: UsageGroup; readonly label: string }[] = [
  { group: 'model', label: 'Model' },
  { group: 'agent', label: 'Agent' },
  { group: 'project', label: 'Project' },
  { group: 'day', label: 'Day' },
];

/** What all agents read, wrote and cost. */
export function UsagePage() {
  const [days, setDays] = useState<(typeof SPANS)[number]>(30);
  const [group, setGroup] = useState<UsageGroup>('model');
  const range = rangeOf(days);
  const byDay = useUsage({ ...range, group: 'day' });
  const grouped = useUsage({ ...range, group });
  if (byDay.problem !== undefined) {
    return (
      <div className="empty" role="alert">
        <h2>Usage cannot be shown</h2>
        <p>{byDay.problem}</p>
      </div>
    );
  }
  const totals = totalsOf(byDay.rows);
  return (
    <div className="page">
      <div className="page-column">
        <header className="page-head">
          <div className="grow">
            <h1>Usage</h1>
            <p className="dim">All agents on this machine, last {days} days</p>
          </div>
          <Spans days={days} onDays={setDays} />
        </header>
        <ul className="tiles">
          <Tile value={formatCost(totals.cost)} label={costLabel(totals.unpriced)} />
          <Tile value={formatCount(totals.read)} label="tokens read" />
          <Tile value={formatCount(totals.written)} label="tokens written" />
          <Tile value={`${totals.cachedShare}%`} label="read from cache" />
        </ul>
        <section className="card">
          <header>
            <h2 className="grow">Tokens written per day</h2>
            <ChartLegend agents={agentsOf(byDay.rows)} />
          </header>
          <UsageChart bars={dayBars(byDay.rows, range)} />
        </section>
        <section className="card">
          <header>
            <h2 className="grow">By {group}</h2>
            <fieldset className="chips">
              <legend className="visually-hidden">Group by</legend>
              {GROUPS.map(({ group: name, label }) => (
                <button
                  key={name}
                  type="button"
                  className="chip"
                  aria-pressed={name === group}
                  onClick={() => setGroup(name)}
                >
                  {label}
                </button>
              ))}
            </fieldset>
          </header>
          <UsageTable rows={grouped.rows} group={group} />
        </section>
      </div>
    </div>
  );
}

function Spans({
  days,
  onDays,
}: {
  readonly days: number;
  readonly onDays: (days: (typeof SPANS)[number]) => void;
}) {
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">Days</legend>
      {SPANS.map((span) => (
        <button
          key={span}
          type="button"
          className="chip"
          aria-pressed={span === days}
          onClick={() => onDays(span)}
        >
          {span} days
        </button>
      ))}
    </fieldset>
  );
}

function costLabel(unpriced: number): string {
  const base = 'cost, est. at list price';
  return unpriced === 0 ? base : `${base}; ${plural(unpriced, 'request')} without a known price`;
}

function Tile({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <li className="tile">
      <b>{value}</b>
      <span>{label}</span>
    </li>
  );
}

function UsageTable({
  rows,
  group,
}: {
  readonly rows: readonly UsageRow[];
  readonly group: UsageGroup;
}) {
  return (
    <table className="usage-table">
      <thead>
        <tr>
          <th scope="col">{group.charAt(0).toUpperCase() + group.slice(1)}</th>
          <th scope="col">Sessions</th>
          <th scope="col">Read</th>
          <th scope="col">Written</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={`${row.key}/${row.agent ?? ''}`}>
            <th scope="row" className="mono" dir="auto">
              {labelOf(row, group)}
            </th>
            <td>{row.sessions.toLocaleString('en')}</td>
            <td>{formatCount(row.input_tokens + row.cache_read_tokens)}</td>
            <td>{formatCount(row.output_tokens)}</td>
            <td>{formatCost(row.cost_usd)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function labelOf(row: UsageRow, group: UsageGroup): string {
  if (group === 'agent') return agentName(row.key);
  return row.agent === undefined ? row.key : `${row.key} ${agentName(row.agent)}`;
}

interface UsageAnswer {
  readonly rows: readonly UsageRow[];
  readonly problem?: string;
}

function useUsage({
  from,
  to,
  group,
}: {
  from: string;
  to: string;
  group: UsageGroup;
}): UsageAnswer {
  const { api } = usePage();
  const [answer, setAnswer] = useState<UsageAnswer>({ rows: [] });
  useEffect(() => {
    let isCurrent = true;
    api.usage({ from, to, group }).then(
      (rows) => isCurrent && setAnswer({ rows }),
      (error: Error) => isCurrent && setAnswer({ rows: [], problem: error.message }),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, from, to, group]);
  return answer;
}

/** Days of the person's own time zone. */
function rangeOf(days: number): { readonly from: string; readonly to: string } {
  const now = new Date();
  const first = new Date(now);
  first.setDate(now.getDate() - days + 1);
  return { from: localDay(first), to: localDay(now) };
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
