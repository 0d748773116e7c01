import { formatCost, formatCount } from '../format.ts';
import { agentName } from '../sessions/agent-badge.tsx';
import { type DayBar, niceMaximum, type UsageMetric } from './usage-sums.ts';

const WIDTH = 960;
const HEIGHT = 200;
const LEFT = 48;
const BOTTOM = 24;
const COLOURS = 2;

interface UsageChartProps {
  readonly bars: readonly DayBar[];
  readonly metric: UsageMetric;
}

/** Tokens or cost per day, stacked by agent. The table below has the same data as text. */
export function UsageChart({ bars, metric }: UsageChartProps) {
  const format = metric === 'cost' ? formatCost : formatCount;
  const top = niceMaximum(Math.max(...bars.map(({ total }) => total), 0));
  const slot = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const scale = (HEIGHT - BOTTOM - 8) / top;
  const labelEvery = Math.ceil(bars.length / 9);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${METRIC_LABELS[metric]} per day by agent; the table below has the same data`}
    >
      {[0, 0.5, 1].map((share) => (
        <g key={share}>
          <line
            className="chart-line"
            x1={LEFT}
            x2={WIDTH}
            y1={HEIGHT - BOTTOM - share * top * scale}
            y2={HEIGHT - BOTTOM - share * top * scale}
          />
          <text
            className="chart-text"
            x={LEFT - 10}
            y={HEIGHT - BOTTOM - share * top * scale + 4}
            textAnchor="end"
          >
            {format(share * top)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.day}>
          <title>{barWords(bar, format)}</title>
          <Stack bar={bar} x={LEFT + index * slot} width={slot} scale={scale} />
          {index % labelEvery === 0 && (
            <text
              className="chart-text"
              x={LEFT + (index + 0.5) * slot}
              y={HEIGHT - 6}
              textAnchor="middle"
            >
              {shortDay(bar.day)}
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}

/** Label of each metric. */
export const METRIC_LABELS = { cost: 'Cost', tokens: 'Tokens written' } as const;

/** Agents with their own colour; others use the remaining ones. */
const OWN_COLOURS = new Set(['robota', 'claude', 'gemini', 'codex']);

function colourOf(agent: string, index: number): string {
  return OWN_COLOURS.has(agent) ? `chart-${agent}` : `chart-other-${index % COLOURS}`;
}

function barWords({ day, parts, total }: DayBar, format: (amount: number) => string): string {
  const lines = parts
    .filter(({ amount }) => amount > 0)
    .map(
      ({ agent, amount }) => `${agent === '' ? 'Unknown' : agentName(agent)}: ${format(amount)}`,
    );
  return [`${day}: ${format(total)}`, ...lines].join('\n');
}

interface StackProps {
  readonly bar: DayBar;
  readonly x: number;
  readonly width: number;
  readonly scale: number;
}

function Stack({ bar, x, width, scale }: StackProps) {
  const thickness = Math.min(22, width * 0.62);
  let y = HEIGHT - BOTTOM;
  return bar.parts.map(({ agent, amount }, index) => {
    const height = amount * scale;
    y -= height;
    return (
      <rect
        key={agent}
        className={colourOf(agent, index)}
        x={x + (width - thickness) / 2}
        y={y}
        width={thickness}
        height={height}
        rx={Math.min(2, height / 2)}
      />
    );
  });
}

export function ChartLegend({ agents }: { readonly agents: readonly string[] }) {
  return (
    <ul className="legend">
      {agents.map((agent, index) => (
        <li key={agent}>
          <svg viewBox="0 0 8 8" aria-hidden="true">
            <rect className={colourOf(agent, index)} width="8" height="8" rx="2" />
          </svg>
          {agent === '' ? 'Unknown' : agentName(agent)}
        </li>
      ))}
    </ul>
  );
}

function shortDay(day: string): string {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en', {
    month: 'short',
    day: 'numeric',
    timeZone: 'UTC',
  });
}
