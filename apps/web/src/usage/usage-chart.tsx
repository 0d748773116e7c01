import { formatCount } from '../format.ts';
import { agentName } from '../sessions/agent-badge.tsx';
import { type DayBar, niceMaximum } from './usage-sums.ts';

const WIDTH = 960;
const HEIGHT = 200;
const LEFT = 48;
const BOTTOM = 24;
const COLOURS = 6;

/** Tokens written per day, stacked by agent. The table below says the same in words. */
export function UsageChart({ bars }: { readonly bars: readonly DayBar[] }) {
  const top = niceMaximum(Math.max(...bars.map(({ total }) => total), 0));
  const slot = (WIDTH - LEFT) / Math.max(bars.length, 1);
  const scale = (HEIGHT - BOTTOM - 8) / top;
  const labelEvery = Math.ceil(bars.length / 9);
  return (
    <svg
      className="chart"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label="Tokens written per day by agent; the table below says the same"
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
            {formatCount(share * top)}
          </text>
        </g>
      ))}
      {bars.map((bar, index) => (
        <g key={bar.day}>
          <title>{`${bar.day}: ${formatCount(bar.total)}`}</title>
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

interface StackProps {
  readonly bar: DayBar;
  readonly x: number;
  readonly width: number;
  readonly scale: number;
}

function Stack({ bar, x, width, scale }: StackProps) {
  const thickness = Math.min(22, width * 0.62);
  let y = HEIGHT - BOTTOM;
  return bar.parts.map(({ agent, tokens }, index) => {
    const height = tokens * scale;
    y -= height;
    return (
      <rect
        key={agent}
        className={`chart-colour-${index % COLOURS}`}
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
            <rect className={`chart-colour-${index % COLOURS}`} width="8" height="8" rx="2" />
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
