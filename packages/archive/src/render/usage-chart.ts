import type { UsageReport, UsageSum } from '../catalogue.ts';
import { columnsOf, fit, formatCount, formatDollars } from './columns.ts';

/** Eighths of a column. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const SHORTEST_BAR = 8;

/**
 * One line a row with a bar as long as its cost, and the total below: cost, requests, tokens without and with the
 * cached ones. Where nothing has a price, bars stand for requests.
 */
export function renderUsageChart(report: UsageReport, width: number): string[] {
  const { rows, total } = report;
  if (rows.length === 0) return ['No requests.'];
  const isPriced = total.costUsd > 0;
  const weight = (sum: UsageSum) => (isPriced ? sum.costUsd : sum.requests);
  const most = Math.max(...rows.map(weight));
  const cells = [...rows.map(({ label, ...sum }) => cellsOf(label, sum)), cellsOf('total', total)];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...cells.map((cell) => columnsOf(cell[column] ?? ''))),
  );
  widths[0] = Math.min(widths[0] ?? 0, 40);
  const space = width - widths.reduce((sum, each) => sum + each + 2, 0);
  const lines = cells.map((cell, index) => {
    const text = cell.map((each, column) =>
      fit(each, widths[column] ?? 0, column === 0 ? 'left' : 'right'),
    );
    const row = rows[index];
    const bar = row === undefined || space < SHORTEST_BAR ? '' : barOf(weight(row) / most, space);
    return [...text, bar].join('  ').trimEnd();
  });
  return [...lines, ...unpricedLines(report)];
}

function cellsOf(label: string, sum: UsageSum): string[] {
  const own = sum.inputTokens + sum.outputTokens;
  return [
    label,
    sum.costUsd === 0 && sum.unpricedRequests > 0 ? 'no price' : formatDollars(sum.costUsd),
    `${formatCount(sum.requests)} req`,
    formatCount(own),
    formatCount(own + sum.cacheReadTokens + sum.cacheWriteTokens),
  ];
}

function barOf(share: number, width: number): string {
  const eighths = Math.round(share * width * 8);
  if (eighths === 0 && share > 0) return PARTS[1] ?? '';
  return '█'.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] ?? '');
}

function unpricedLines({ unpriced }: UsageReport): string[] {
  if (unpriced.length === 0) return [];
  const models = unpriced.map(({ model, requests }) => `${formatCount(requests)} of ${model}`);
  return [`+ requests without a known price: ${models.join(', ')}`];
}
