import type { PageApi } from '../api.ts';
import type { SessionPage, SessionRow } from '../api-types.ts';

/** Every session the server knows, as far as the list has been scrolled, kept up to date. */
export interface SessionsState {
  readonly rows: readonly SessionRow[];
  readonly totals: SessionPage['totals'];
  readonly status: 'loading' | 'ready' | 'failed';
  readonly hasMore: boolean;
  readonly problem?: string | undefined;
}

export interface SessionsStore {
  readonly subscribe: (listener: () => void) => () => void;
  readonly getState: () => SessionsState;
  loadMore(): void;
  refresh(): void;
}

const PAGE = 100;
const RETRY_MS = 3000;

export function createSessionsStore(api: PageApi): SessionsStore {
  const listeners = new Set<() => void>();
  let state: SessionsState = {
    rows: [],
    totals: { all: 0, working: 0, waiting: 0 },
    status: 'loading',
    hasMore: false,
  };
  let cursor: string | undefined;
  let isAsking = false;
  let watching: AbortController | undefined;

  const put = (change: Partial<SessionsState>): void => {
    state = { ...state, ...change };
    for (const listener of listeners) listener();
  };
  const load = async (from: string | undefined): Promise<void> => {
    if (isAsking) return;
    isAsking = true;
    try {
      const page = await api.listSessions({ limit: PAGE, cursor: from });
      cursor = page.next_cursor;
      const rows = from === undefined ? page.sessions : mergeRows(state.rows, page.sessions);
      put({
        rows,
        totals: page.totals,
        hasMore: cursor !== undefined,
        status: 'ready',
        problem: undefined,
      });
    } catch (error) {
      put({ status: 'failed', problem: messageOf(error) });
    } finally {
      isAsking = false;
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
    refresh: () => void load(undefined),
  };
}

/** One row changed: it takes the place of what was known of it, and the counts follow. */
export function withRow(state: SessionsState, row: SessionRow): Partial<SessionsState> {
  const before = state.rows.find(({ id, agent }) => id === row.id && agent === row.agent);
  const change = (activity: 'working' | 'waiting') =>
    Number(row.state === activity) - Number(before?.state === activity);
  return {
    rows: mergeRows(state.rows, [row]),
    totals: {
      all: state.totals.all + (before ? 0 : 1),
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
