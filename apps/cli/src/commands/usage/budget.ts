import type { UsageReport } from '@robota-sdk/agent-archive';
import { UsageError } from '../../usage-error.ts';
import { dollars } from '../session-row.ts';

/** A limit in dollars per period. */
export interface SpendingLimit {
  readonly amount: number;
  readonly per: 'day' | 'week' | 'month';
}

const PERIODS: readonly SpendingLimit['per'][] = ['day', 'week', 'month'];

/** `20/day`; per day if no period is given. */
export function readBudget(text: string): SpendingLimit {
  const [, amount = '', period = 'day'] = /^\$?(\d+(?:\.\d+)?)(?:\/([a-z]+))?$/.exec(text) ?? [];
  const per = PERIODS.find((candidate) => candidate === period);
  if (amount === '' || per === undefined) {
    throw new UsageError(`Invalid --budget "${text}". Write dollars and a time: 20/day | 100/week`);
  }
  return { amount: Number(amount), per };
}

/** Default for `--since`: start of the current day, week (from Monday) or month. */
export function periodStart({ per }: SpendingLimit, now = new Date()): number {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate());
  if (per === 'month') day.setDate(1);
  if (per === 'week') day.setDate(day.getDate() - ((day.getDay() + 6) % 7));
  return day.getTime();
}

/** A sentence for each period over the limit. */
export function budgetNotes({ amount, per }: SpendingLimit, spent: UsageReport): string[] {
  const over = spent.rows.filter(({ costUsd }) => costUsd > amount);
  const notes = over.map(
    ({ label, costUsd }) =>
      `Over budget: ${label} cost ${dollars(costUsd)}, ${dollars(costUsd - amount)} more than ${dollars(amount)} a ${per}.`,
  );
  const unknown = spent.total.unpricedRequests;
  if (unknown === 0) return notes;
  const what = unknown === 1 ? '1 request' : `${unknown} requests`;
  return [...notes, `Not part of it: ${what} without a known price.`];
}
