import type { UsageGrouping, UsageReport } from '@robota-sdk/agent-archive';
import { readAgent } from '../../arguments/read-agent.ts';
import { readFlags } from '../../arguments/read-flags.ts';
import { readSince } from '../../arguments/read-since.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { jsonText, terminalWidth } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { withCatalogue } from '../catalogue.ts';
import { budgetNotes, periodStart, readBudget } from './budget.ts';
import { usageChart } from './usage-chart.ts';

const FLAGS = {
  by: { type: 'string' },
  here: { type: 'boolean' },
  all: { type: 'boolean', short: 'a' },
  agent: { type: 'string' },
  project: { type: 'string' },
  since: { type: 'string' },
  budget: { type: 'string' },
  refresh: { type: 'boolean' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

const GROUPINGS: readonly UsageGrouping[] = [
  'day',
  'week',
  'month',
  'model',
  'agent',
  'project',
  'session',
  'cause',
];

/** Model requests of every agent on this machine and their price, each counted once. */
export async function runUsage(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [unexpected] = positionals;
  if (unexpected !== undefined) {
    throw new UsageError(`usage takes no "${unexpected}". Run robota usage --help.`);
  }
  const by = GROUPINGS.find((candidate) => candidate === (values.by ?? 'day'));
  if (!by) throw new UsageError(`Invalid --by "${values.by}". Valid: ${GROUPINGS.join(' | ')}`);
  const budget = values.budget === undefined ? undefined : readBudget(values.budget);
  const scope = {
    here: values.here ? process.cwd() : undefined,
    agent: readAgent(values.agent),
    project: values.project,
  };
  const since = readSince(values.since);
  const freshness = values.refresh ? 'whole' : 'quick';
  const { report, spent } = await withCatalogue({ output, freshness }, async (catalogue) => ({
    report: await catalogue.usage({ ...scope, by, since }),
    spent:
      budget &&
      (await catalogue.usage({ ...scope, by: budget.per, since: since ?? periodStart(budget) })),
  }));
  if (values.json) output.writeLine(jsonText(report));
  else show(report, output);
  if (budget && spent) for (const note of budgetNotes(budget, spent)) output.note(note);
  return EXIT.done;
}

function show(report: UsageReport, output: Output): void {
  if (report.total.requests === 0) {
    output.note('No requests found.');
    return;
  }
  const width = terminalWidth(output) ?? PLAIN_WIDTH;
  const isColoured = output.colors && terminalWidth(output) !== undefined;
  for (const line of usageChart(report, { width, isColoured })) output.writeLine(line);
}

/** Width when stdout is not a terminal. */
const PLAIN_WIDTH = 100;
