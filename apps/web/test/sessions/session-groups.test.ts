import { describe, expect, it } from 'vitest';
import type { SessionRow } from '../../src/api-types.ts';
import { groupSessions } from '../../src/sessions/session-groups.ts';
import { mergeRows, type SessionsState, withRow } from '../../src/sessions/session-store.ts';

const NOW = Date.parse('2026-11-16T12:00:00.000Z');
const row = (id: string, change: Partial<SessionRow> = {}): SessionRow => ({
  agent: 'robota',
  id,
  title: id,
  project: 'relay',
  state: 'idle',
  updated_at: '2026-11-16T11:00:00.000Z',
  access: 'drive',
  is_live: false,
  message_count: 1,
  ...change,
});
const rows = [
  row('working', { state: 'working' }),
  row('today'),
  row('waiting', { state: 'waiting', updated_at: '2026-11-01T11:00:00.000Z' }),
  row('week', { updated_at: '2026-11-12T11:00:00.000Z' }),
  row('old', { updated_at: '2025-11-12T11:00:00.000Z' }),
];

const NOTHING: SessionsState = {
  rows: [],
  totals: { all: 0, live: 0, working: 0, waiting: 0 },
  status: 'ready',
  hasMore: false,
  scope: {},
  agents: [],
  projects: [],
};

describe('the list', () => {
  it('shows waiting sessions first, then working ones, then the rest by age', () => {
    const groups = groupSessions(rows, 'all', NOW).map(({ name, rows: shown }) => [
      name,
      ...shown.map(({ id }) => id),
    ]);

    expect(groups).toEqual([
      ['Now', 'waiting', 'working'],
      ['Today', 'today'],
      ['This week', 'week'],
      ['Older', 'old'],
    ]);
  });

  it('shows pinned sessions above the rest', () => {
    const shown = groupSessions([...rows, row('kept', { is_pinned: true })], 'all', NOW);

    expect(shown.map(({ name }) => name)).toEqual(['Now', 'Pinned', 'Today', 'This week', 'Older']);
    expect(shown[1]?.rows.map(({ id }) => id)).toEqual(['kept']);
  });

  it('contains only sessions of the chosen agent, project and archive', () => {
    const shown = (scope: object, told: SessionRow) =>
      withRow({ ...NOTHING, rows: [row('a')], scope }, told).rows?.map(({ id }) => id);

    expect(shown({}, row('b'))).toEqual(['a', 'b']);
    expect(shown({ agent: 'robota' }, row('b', { agent: 'codex' }))).toEqual(['a']);
    expect(shown({ project: 'relay' }, row('b', { project: 'relay-2' }))).toEqual(['a']);
    expect(shown({}, row('a', { is_archived: true }))).toEqual([]);
    expect(shown({ isArchive: true }, row('b', { is_archived: true }))).toEqual(['a', 'b']);
  });

  it('is filtered', () => {
    expect(groupSessions(rows, 'waiting', NOW)[0]?.rows.map(({ id }) => id)).toEqual(['waiting']);
  });

  it('has each session once, newest first', () => {
    const newer = row('today', { title: 'renamed', updated_at: '2026-11-16T11:59:00.000Z' });

    expect(mergeRows([row('a'), row('today')], [newer]).map(({ title }) => title)).toEqual([
      'renamed',
      'a',
    ]);
  });

  it('updates counts with every change', () => {
    const state = {
      rows,
      totals: { all: 5, live: 2, working: 1, waiting: 1 },
      status: 'ready',
      scope: {},
      agents: ['robota'] as readonly string[],
      projects: ['relay'] as readonly string[],
      hasMore: false,
    } as const;

    expect(withRow(state, row('working', { state: 'waiting' })).totals).toEqual({
      all: 5,
      live: 2,
      working: 0,
      waiting: 2,
    });
    expect(withRow(state, row('new', { state: 'working', is_live: true })).totals).toEqual({
      all: 6,
      live: 3,
      working: 2,
      waiting: 1,
    });
  });
});
