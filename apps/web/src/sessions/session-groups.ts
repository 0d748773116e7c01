import type { SessionActivity, SessionRow } from '../api-types.ts';

export interface SessionGroup {
  readonly name: string;
  readonly rows: readonly SessionRow[];
}

export type SessionFilter = 'all' | 'working' | 'waiting';

const HOUR = 3_600_000;
const AGES: readonly { readonly name: string; readonly hours: number }[] = [
  { name: 'Today', hours: 24 },
  { name: 'This week', hours: 24 * 7 },
  { name: 'This month', hours: 24 * 30 },
  { name: 'Older', hours: Number.POSITIVE_INFINITY },
];

/** Groups sessions: waiting for the user, working, pinned, then the rest by age. */
export function groupSessions(
  rows: readonly SessionRow[],
  filter: SessionFilter,
  now: number,
): readonly SessionGroup[] {
  const shown = filter === 'all' ? rows : rows.filter(({ state }) => state === filter);
  const active = [
    ...shown.filter(({ state }) => state === 'waiting'),
    ...shown.filter(({ state }) => state === 'working'),
  ];
  const groups: { name: string; rows: SessionRow[] }[] = [
    { name: 'Now', rows: active },
    { name: 'Pinned', rows: shown.filter((row) => row.is_pinned && !isActive(row.state)) },
    ...AGES.map(({ name }) => ({ name, rows: [] })),
  ];
  for (const row of shown) {
    if (isActive(row.state) || row.is_pinned) continue;
    const hours = (now - Date.parse(row.updated_at)) / HOUR;
    const { name } = AGES.find((age) => hours < age.hours) ?? { name: 'Older' };
    groups.find((group) => group.name === name)?.rows.push(row);
  }
  return groups.filter((group) => group.rows.length > 0);
}

function isActive(state: SessionActivity): boolean {
  return state === 'waiting' || state === 'working';
}
