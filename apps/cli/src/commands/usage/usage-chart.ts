import type { UsageReport, UsageRow, UsageSum } from '@robota-sdk/agent-archive';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { cellWidth, truncateCells } from '../../terminal/layout/cell-width.ts';
import { dollars } from '../session-row.ts';

interface ChartLook {
  readonly width: number;
  readonly isColoured: boolean;
}

/** One line per row with a bar for its price (or its tokens if no price is known), and a total. */
export function usageChart(report: UsageReport, { width, isColoured }: ChartLook): string[] {
  const { rows, total } = report;
  const table = [...rows, { ...total, label: 'total' }].map(columnsOf);
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...table.map((texts) => cellWidth(texts[column] ?? ''))),
  );
  const numbers = widths.slice(1).reduce((sum, cells) => sum + cells + 2, 0);
  widths[0] = Math.min(widths[0] ?? 0, Math.max(SHORTEST_LABEL, width - numbers - SHORTEST_BAR));
  const room = Math.min(LONGEST_BAR, width - numbers - widths[0] - 3);
  const measure = total.costUsd > 0 ? costOf : tokensOf;
  const most = Math.max(...rows.map(measure));
  const lines = table.map((texts, index) => {
    const [label = '', ...others] = texts;
    const name = truncateCells(label, widths[0] ?? 0);
    const padded = name + ' '.repeat(Math.max(0, (widths[0] ?? 0) - cellWidth(name)));
    const cells = others.map((text, column) => text.padStart(widths[column + 1] ?? 0));
    const row = rows[index];
    const bar = row === undefined ? '' : barOf(measure(row) / most, room);
    const shown = isColoured && bar !== '' ? `\u001b[36m${bar}\u001b[39m` : bar;
    return `${padded}  ${cells.join('  ')}  ${shown}`.trimEnd();
  });
  return [...lines, ...unpricedLines(report)];
}

const SHORTEST_LABEL = 8;
const SHORTEST_BAR = 6;
const LONGEST_BAR = 40;

function columnsOf(row: UsageSum & Pick<UsageRow, 'label'>): string[] {
  return [
    neutraliseLine(row.label),
    row.costUsd === 0 && row.unpricedRequests > 0 ? '$?' : dollars(row.costUsd),
    `${row.requests.toLocaleString('en-US')} req`,
    `${shortCount(row.outputTokens)} out`,
    `${shortCount(row.inputTokens + row.cacheReadTokens + row.cacheWriteTokens)} in`,
  ];
}

function costOf({ costUsd }: UsageSum): number {
  return costUsd;
}

function tokensOf({ inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens }: UsageSum) {
  return inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens;
}

/** Eighths of a cell, so that small differences are visible. */
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'] as const;

function barOf(share: number, room: number): string {
  if (!(share > 0) || room <= 0) return '';
  const eighths = Math.max(1, Math.round(share * room * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '');
}

/** `703`, `12k`, `2.0M`. */
function shortCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${Math.round(count / 1000)}k`;
  const millions = count / 1_000_000;
  return `${millions < 10 ? millions.toFixed(1) : Math.round(millions)}M`;
}

function unpricedLines({ unpriced }: UsageReport): string[] {
  return unpriced.map(
    ({ model, requests }) =>
      `+ ${requests} ${requests === 1 ? 'request' : 'requests'} of ${neutraliseLine(model)} without a known price`,
  );
}
