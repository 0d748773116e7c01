import { BarChart3, Keyboard, Monitor, Pin, Plus, Search, Settings, SunMoon } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import type { ServerFacts, SessionActivity, SessionRow } from '../api-types.ts';
import { formatAge, plural } from '../format.ts';
import { usePage } from '../page-context.ts';
import { sessionAddress } from '../route.ts';
import { toggleTheme } from '../settings/theme.ts';
import { AgentBadge } from './agent-badge.tsx';
import { ScopeFilter } from './scope-filter.tsx';
import { groupSessions, type SessionFilter } from './session-groups.ts';
import type { SessionsState } from './session-store.ts';

interface SessionListProps {
  readonly facts: ServerFacts | undefined;
  readonly currentId: string | undefined;
  readonly onNew: () => void;
  readonly onHelp: () => void;
}

/** All sessions of all agents, those waiting for the user first. */
export function SessionList({ facts, currentId, onNew, onHelp }: SessionListProps) {
  const { sessions, openSearch, may } = usePage();
  const state = useSyncExternalStore(sessions.subscribe, sessions.getState);
  const [filter, setFilter] = useState<SessionFilter>('all');
  return (
    <nav className="side" aria-label="Sessions">
      <header className="side-head">
        <div className="brand">
          <img src="/icon.svg" alt="" width="20" height="20" />
          <a href="/" className="grow">
            Robota
          </a>
          {may('prompt') && (
            <button type="button" className="icon-button" aria-label="New session" onClick={onNew}>
              <Plus aria-hidden="true" />
            </button>
          )}
        </div>
        <button type="button" className="search-button" onClick={() => openSearch()}>
          <Search aria-hidden="true" />
          <span className="grow">Search every session</span>
          <kbd>Ctrl K</kbd>
        </button>
      </header>
      <Filters state={state} filter={filter} onFilter={setFilter} />
      <ScopeFilter state={state} onScope={(change) => sessions.show(change)} />
      <Groups state={state} filter={filter} currentId={currentId} />
      <footer className="side-foot">
        <Monitor aria-hidden="true" />
        <span className="grow ellipsis">
          {facts?.node ?? 'This machine'} · {plural(state.totals.all, 'session')}
        </span>
        <button type="button" className="icon-button" aria-label="Keys" onClick={onHelp}>
          <Keyboard aria-hidden="true" />
        </button>
        <a className="icon-button" href="/usage" aria-label="Usage">
          <BarChart3 aria-hidden="true" />
        </a>
        <button
          type="button"
          className="icon-button"
          aria-label="Light or dark"
          onClick={toggleTheme}
        >
          <SunMoon aria-hidden="true" />
        </button>
        <a className="icon-button" href="/settings" aria-label="Settings and trust">
          <Settings aria-hidden="true" />
        </a>
      </footer>
    </nav>
  );
}

interface FiltersProps {
  readonly state: SessionsState;
  readonly filter: SessionFilter;
  readonly onFilter: (filter: SessionFilter) => void;
}

function Filters({ state, filter, onFilter }: FiltersProps) {
  const chips: readonly { readonly name: SessionFilter; readonly label: string }[] = [
    { name: 'all', label: 'All' },
    { name: 'working', label: `Live ${state.totals.working}` },
    { name: 'waiting', label: `Waiting ${state.totals.waiting}` },
  ];
  return (
    <fieldset className="chips">
      <legend className="visually-hidden">Show</legend>
      {chips.map(({ name, label }) => (
        <button
          key={name}
          type="button"
          className="chip"
          aria-pressed={filter === name}
          onClick={() => onFilter(name)}
        >
          {name !== 'all' && (
            <span className={`state state-${name}`}>
              <span className="state-dot" />
            </span>
          )}
          {label}
        </button>
      ))}
    </fieldset>
  );
}

interface GroupsProps {
  readonly state: SessionsState;
  readonly filter: SessionFilter;
  readonly currentId: string | undefined;
}

function Groups({ state, filter, currentId }: GroupsProps) {
  const { sessions } = usePage();
  const now = useNow();
  if (state.status === 'loading') return <LoadingRows />;
  const groups = groupSessions(state.rows, filter, now);
  return (
    <div
      className="side-list"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (state.hasMore && scrollHeight - scrollTop - clientHeight < 400) sessions.loadMore();
      }}
    >
      {state.problem !== undefined && (
        <p className="side-problem" role="status">
          Out of date: {state.problem}
        </p>
      )}
      {groups.length === 0 && <p className="side-empty dim">{emptyMessage(state, filter)}</p>}
      {groups.map(({ name, rows }) => (
        <section key={name} aria-label={name}>
          <h2 className="side-group">{name}</h2>
          {rows.map((row) => (
            <SessionLine
              key={`${row.agent}/${row.id}`}
              row={row}
              now={now}
              isCurrent={row.id === currentId}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

/** Explains an empty list and how to see more. */
function emptyMessage({ scope }: SessionsState, filter: SessionFilter): string {
  if (filter === 'waiting') return 'No session is waiting for you.';
  if (filter === 'working') return 'No session is working.';
  if (scope.isArchive) return 'No archived sessions. A session is archived from its menu.';
  const isNarrow = scope.agent !== undefined || scope.project !== undefined;
  return isNarrow ? 'No session matches both filters.' : 'No sessions yet. Press c to start one.';
}

const STATE_WORDS: Readonly<Record<SessionActivity, string>> = {
  idle: '',
  working: 'Working',
  waiting: 'Needs you',
  failed: 'Failed',
};

interface SessionLineProps {
  readonly row: SessionRow;
  readonly now: number;
  readonly isCurrent: boolean;
}

function SessionLine({ row, now, isCurrent }: SessionLineProps) {
  return (
    <a
      className="session-line"
      href={sessionAddress(row)}
      aria-current={isCurrent ? 'page' : undefined}
    >
      <AgentBadge agent={row.agent} />
      <span className="grow">
        <span className="session-title ellipsis" dir="auto">
          {row.title}
        </span>
        <span className="session-facts">
          {row.state !== 'idle' && (
            <span className={`state state-${row.state}`}>
              <span className="state-dot" />
              {STATE_WORDS[row.state]}
            </span>
          )}
          {row.is_pinned && <Pin className="pinned" role="img" aria-label="Pinned" />}
          <span className="ellipsis">
            {row.project}
            {row.node !== undefined && ` · on ${row.node}`}
          </span>
        </span>
      </span>
      <time dateTime={row.updated_at}>{formatAge(Date.parse(row.updated_at), now)}</time>
    </a>
  );
}

function LoadingRows() {
  return (
    <div className="side-list" aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading sessions
      </p>
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <div key={row} className="row-placeholder" />
      ))}
    </div>
  );
}

/** The current time for relative ages, updated every minute. */
function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}
