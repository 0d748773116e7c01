import type { PageApi } from '../api.ts';
import type { SessionPage, SessionRow } from '../api-types.ts';

/** Which sessions are listed; all agents and projects by default. */
export interface SessionsScope {
  readonly agent?: string | undefined;
  readonly project?: string | undefined;
  /** Archived sessions instead of the others. */
  readonly isArchive?: boolean | undefined;
}

/** The server's sessions, as far as the list was scrolled, kept up to date. */
export interface SessionsState {
  readonly rows: readonly SessionRow[];
  readonly totals: SessionPage['totals'];
  readonly status: 'loading' | 'ready' | 'failed';
  readonly hasMore: boolean;
  readonly scope: SessionsScope;
  /** All agents seen in the list. */
  readonly agents: readonly string[];
  /** All projects seen in the list. */
  readonly projects: readonly string[];
  readonly problem?: string | undefined;
}

export interface SessionsStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => SessionsState;
  loadMore(): void;
  show(change: SessionsScope): void;
  refresh(): void;
}

const PAGE = 100;
const RETRY_MS = 3000;

const NOTHING: SessionsState = {
  rows: [],
  totals: { all: 0, live: 0, working: 0, waiting: 0 },
  status: 'loading',
  hasMore: false,
  scope: {},
  agents: [],
  projects: [],
};

export function createSessionsStore(api: PageApi): SessionsStore {
  const listeners = new Set<() => void>();
  let state = NOTHING;
  let cursor: string | undefined;
  let isAsking = false;
  /** Increases with every scope change; responses to earlier requests are dropped. */
  let scopeVersion = 0;
  let watching: AbortController | undefined;

  const put = (change: Partial<SessionsState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const load = async (from: string | undefined): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    const asked = scopeVersion;
    try {
      const page = await api.listSessions({ limit: PAGE, cursor: from, ...queryOf(state.scope) });
      if (asked !== scopeVersion) return;
      cursor = page.next_cursor;
      // The server matches projects by a part of the name.
      const fresh = page.sessions.filter((row) => isInScope(row, state.scope));
      const rows = from === undefined ? fresh : mergeRows(state.rows, fresh);
      put({
        rows,
        agents: namesIn(state.agents, rows, ({ agent }) => agent),
        projects: namesIn(state.projects, rows, ({ project }) => project),
        totals: page.totals,
        hasMore: cursor !== undefined,
        status: 'ready',
        problem: undefined,
      });
    } catch (error) {
      if (asked === scopeVersion) put({ status: 'failed', problem: messageOf(error) });
    } finally {
      if (asked === scopeVersion) isAsking = false;
    }
  };
  const watch = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await load(undefined);
      await api
        .watchSessions((row) => put(withRow(state, row)), signal)
        .catch((error: unknown) => {
          if (!signal.aborted) put({ problem: messageOf(error) });
        });
      await pause(RETRY_MS, signal);
    }
  };

  return {
    subscribe(listener) {
      listeners.add(listener);
      if (!watching) {
        watching = new AbortController();
        void watch(watching.signal);
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        watching?.abort();
        watching = undefined;
      };
    },
    getState: () => state,
    loadMore: () => {
      if (cursor !== undefined) void load(cursor);
    },
    show(change) {
      scopeVersion++;
      isAsking = false;
      cursor = undefined;
      const scope = { ...state.scope, ...change };
      put({ scope, rows: [], hasMore: false, status: 'loading' });
      void load(undefined);
    },
    refresh: () => void load(undefined),
  };
}

/** Replaces a changed row and updates the counts. */
export function withRow(state: SessionsState, row: SessionRow): Partial<SessionsState> {
  const before = state.rows.find(({ id, agent }) => id === row.id && agent === row.agent);
  const change = (activity: 'working' | 'waiting') =>
    Number(row.state === activity) - Number(before?.state === activity);
  const others = state.rows.filter((known) => known !== before);
  return {
    rows: isInScope(row, state.scope) ? mergeRows(others, [row]) : others,
    agents: namesIn(state.agents, [row], ({ agent }) => agent),
    projects: namesIn(state.projects, [row], ({ project }) => project),
    totals: {
      ...state.totals,
      all: state.totals.all + (before ? 0 : 1),
      live: Math.max(0, state.totals.live + Number(row.is_live) - Number(before?.is_live ?? false)),
      working: Math.max(0, state.totals.working + change('working')),
      waiting: Math.max(0, state.totals.waiting + change('waiting')),
    },
  };
}

/** Newest first, each session once. */
export function mergeRows(
  known: readonly SessionRow[],
  fresh: readonly SessionRow[],
): readonly SessionRow[] {
  const byId = new Map(known.map((row) => [keyOf(row), row]));
  for (const row of fresh) byId.set(keyOf(row), row);
  return [...byId.values()].sort((left, right) => right.updated_at.localeCompare(left.updated_at));
}

function queryOf({ agent, project, isArchive }: SessionsScope) {
  return { agent, project, archived: isArchive ? ('only' as const) : undefined };
}

function isInScope(row: SessionRow, { agent, project, isArchive = false }: SessionsScope): boolean {
  if (agent !== undefined && row.agent !== agent) return false;
  if (project !== undefined && row.project !== project) return false;
  return (row.is_archived ?? false) === isArchive;
}

function namesIn(
  known: readonly string[],
  rows: readonly SessionRow[],
  nameOf: (row: SessionRow) => string,
): readonly string[] {
  const names = new Set([...known, ...rows.map(nameOf)]);
  names.delete('');
  return names.size === known.length ? known : [...names].sort();
}

function keyOf({ agent, id }: SessionRow): string {
  return `${agent}/${id}`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
