import type { CommandResult } from '@robota-sdk/agent-sdk';
import { silentOutput } from '../../output.ts';
import { withCatalogue } from '../catalogue.ts';
import { usageChart } from './usage-chart.ts';

const DAYS = 14;
const WIDTH = 72;

/** `/usage`: the last days of every agent on this machine, short enough for the terminal. */
export async function recentUsage(): Promise<CommandResult> {
  const since = Date.now() - DAYS * 24 * 60 * 60 * 1000;
  const report = await withCatalogue({ output: silentOutput(), freshness: 'quick' }, (catalogue) =>
    catalogue.usage({ by: 'day', since }),
  );
  if (report.total.requests === 0) return { success: true, message: 'No requests found.' };
  const lines = usageChart(report, { width: WIDTH, isColoured: false });
  return { success: true, message: lines.join('\n'), data: { total: report.total } };
}
