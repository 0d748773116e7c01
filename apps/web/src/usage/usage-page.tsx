import { useEffect, useState } from 'react';
import type { UsageGroup, UsageRow } from '../api-types.ts';
import { formatCost, formatCount, plural } from '../format.ts';
import { usePage } from '../page-context.ts';
import { PageTitle } from '../page-title.tsx';
import { agentName } from '../sessions/agent-badge.tsx';
import { ChartLegend, METRIC_LABELS, UsageChart } from './usage-chart.tsx';
import { agentsOf, amountOf, dayBars, totalsOf, type UsageMetric } from './usage-sums.ts';

const SPANS = [7, 30, 90].map((value) => ({ value, label: `${value} days` }));
const METRICS: readonly Option<UsageMetric>[] = [
  { value: 'cost', label: 'Cost' },
  { value: 'tokens', label: 'Tokens' },
];
const GROUPS: readonly Option<UsageGroup>[] = [
  { value: 'model', label: 'Model' },
  { value: 'agent', label: 'Agent' },
  { value: 'project', label: 'Project' },
  { value: 'day', label: 'Day' },
];

/** Tokens and costs of all agents. */
export function UsagePage() {
  const [days, setDays] = useState(30);
  const [group, setGroup] = useState<UsageGroup>('model');
  const [metric, setMetric] = useState<UsageMetric>('cost');
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
        <PageTitle title="Usage" facts={`All agents on this machine, last ${days} days`}>
          <Choice label="Days" options={SPANS} value={days} onChange={setDays} />
        </PageTitle>
        <ul className="tiles">
          <Tile value={formatCost(totals.cost)} label={costLabel(totals.unpriced)} />
          <Tile value={formatCount(totals.read)} label="tokens read" />
          <Tile value={formatCount(totals.written)} label="tokens written" />
          <Tile value={`${totals.cachedShare}%`} label="read from cache" />
        </ul>
        <section className="card">
          <header>
            <h2>{METRIC_LABELS[metric]} per day</h2>
            <Choice label="Show" options={METRICS} value={metric} onChange={setMetric} />
            <span className="grow" />
            <ChartLegend agents={agentsOf(byDay.rows)} />
          </header>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a chart wider than the screen is scrolled with the keyboard too. */}
          <figure className="chart-frame" tabIndex={0} aria-label="Chart">
            <UsageChart bars={dayBars(byDay.rows, range, metric)} metric={metric} />
          </figure>
        </section>
        <section className="card">
          <header>
            <h2 className="grow">By {group}</h2>
            <Choice label="Group by" options={GROUPS} value={group} onChange={setGroup} />
          </header>
          <UsageTable rows={grouped.rows} group={group} metric={metric} />
        </section>
      </div>
    </div>
  );
}

interface Option<Value> {
  readonly value: Value;
  readonly label: string;
}

interface ChoiceProps<Value> {
  readonly label: string;
  readonly options: readonly Option<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

function Choice<Value>({ label: name, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">{name}</legend>
      {options.map((option) => (
        <button
          key={option.label}
          type="button"
          className="chip"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
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

interface UsageTableProps {
  readonly rows: readonly UsageRow[];
  readonly group: UsageGroup;
  readonly metric: UsageMetric;
}

function UsageTable({ rows, group, metric }: UsageTableProps) {
  const most = Math.max(...rows.map((row) => amountOf(row, metric)), 0);
  return (
    <table className="usage-table">
      <thead>
        <tr>
          <th scope="col">{group.charAt(0).toUpperCase() + group.slice(1)}</th>
          <th scope="col" className="wide-only">
            <span className="visually-hidden">{METRIC_LABELS[metric]}, drawn</span>
          </th>
          <th scope="col" className="wide-only">
            Requests
          </th>
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
            <td className="wide-only">
              <meter
                className="share"
                min={0}
                max={most > 0 ? most : 1}
                value={amountOf(row, metric)}
                aria-label={METRIC_LABELS[metric]}
              />
            </td>
            <td className="wide-only">{row.requests.toLocaleString('en')}</td>
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
  return row.agent === undefined ? row.label : `${row.label} ${agentName(row.agent)}`;
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
    const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    api
      .usage({ since: midnight(from, 0), until: midnight(to, 1), group, time_zone: timeZone })
      .then(
        (rows) => isCurrent && setAnswer({ rows }),
        (error: Error) => isCurrent && setAnswer({ rows: [], problem: error.message }),
      );
    return () => {
      isCurrent = false;
    };
  }, [api, from, to, group]);
  return answer;
}

/** The last days in the user's time zone. */
function rangeOf(days: number): { readonly from: string; readonly to: string } {
  const now = new Date();
  const first = new Date(now);
  first.setDate(now.getDate() - days + 1);
  return { from: localDay(first), to: localDay(now) };
}

/** Start of the day `later` days after `day`, in this time zone. */
function midnight(day: string, later: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).toISOString();
}

function localDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
