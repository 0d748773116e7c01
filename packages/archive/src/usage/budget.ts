import type { Catalogue } from '../catalogue.ts';
import { CalendarDays } from './calendar-days.ts';

/** A limit in dollars per day, week or month. */
export interface Budget {
  readonly dollars: number;
  readonly per: 'day' | 'week' | 'month';
}

/** Reads `20/day`, `100/week`, `$300/month`; `20` alone is per day. Undefined for anything else. */
export function parseBudget(text: string): Budget | undefined {
  const match = /^\$?(\d+(?:\.\d+)?)(?:\/(day|week|month))?$/.exec(text.trim());
  if (match === null) return undefined;
  const per = match[2];
  return {
    dollars: Number(match[1]),
    per: per === 'week' || per === 'month' ? per : 'day',
  };
}

/** A budget with what has been spent of it in the current period. */
export interface BudgetState extends Budget {
  /** Spent so far in the current day, week or month. */
  readonly spent: number;
  /** Requests in that period with an unknown price, which are not part of `spent`. */
  readonly unpriced: number;
  readonly isExceeded: boolean;
}

/** How much of a budget is used now. */
export async function checkBudget(
  catalogue: Pick<Catalogue, 'usage'>,
  budget: Budget,
  { now, timeZone }: { readonly now: number; readonly timeZone?: string | undefined },
): Promise<BudgetState> {
  const since = now - LOOKBACK_MS[budget.per];
  const { rows } = await catalogue.usage({ by: budget.per, since, timeZone });
  const key = new CalendarDays(timeZone).keyOf(now, budget.per);
  const row = rows.find((each) => each.key === key);
  const spent = row?.costUsd ?? 0;
  return {
    ...budget,
    spent,
    unpriced: row?.unpricedRequests ?? 0,
    isExceeded: spent > budget.dollars,
  };
}

const DAY_MS = 86_400_000;
/** Longer than any day, week or month, so that the current one is covered. */
const LOOKBACK_MS = { day: 2 * DAY_MS, week: 8 * DAY_MS, month: 32 * DAY_MS };
