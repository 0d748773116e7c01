import type { UsageReport } from '@robota-sdk/agent-archive';
import { UsageError } from '../../usage-error.ts';
import { dollars } from '../session-row.ts';

/** So many dollars in each period. */
export interface SpendingLimit {
  readonly amount: number;
  readonly per: 'day' | 'week' | 'month';
}

const PERIODS: readonly SpendingLimit['per'][] = ['day', 'week', 'month'];

/** `20/day`; without a period, for each day. */
export function readBudget(text: string): SpendingLimit {
  const [, amount = '', period = 'day'] = /^\$?(\d+(?:\.\d+)?)(?:\/([a-z]+))?$/.exec(text) ?? [];
  const per = PERIODS.find((candidate) => candidate === period);
  if (amount === '' || per === undefined) {
    throw new UsageError(`Invalid --budget "${text}". Write dollars and a time: 20/day | 100/week`);
  }
  return { amount: Number(amount), per };
}

/** Without `--since`, the period that runs now is looked at: a day, a week from Monday on, or a month. */
export function periodStart({ per }: SpendingLimit, now = new Date()): number {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (per === 'month') day.setDate(1);
  if (per === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day.getTime();
}

/** A sentence for each period that cost more. */
export function budgetNotes({ amount, per }: SpendingLimit, spent: UsageReport): string[] {
  const over = spent.rows.filter(({ costUsd }) => costUsd > amount);
  const notes = over.map(
    ({ label, costUsd }) =>
      `Over budget: ${label} cost ${dollars(costUsd)}, ${dollars(costUsd - amount)} more than ${dollars(amount)} a ${per}.`,
  );
  const unknown = spent.total.unpricedRequests;
  if (unknown === 0) return notes;
  return [...notes, `${unknown} requests without a known price are not part of it.`];
}
