import {
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
} from 'react';
import type { PageApi } from './api.ts';
import type { ServerFacts, SessionRow } from './api-types.ts';
import { SessionPage } from './conversation/session-page.tsx';
import { KeyHelp } from './keys/key-help.tsx';
import { usePageKeys } from './keys/page-keys.ts';
import { PageContext, type PageParts, usePage } from './page-context.ts';
import { navigate, type PageRoute, readRoute, sessionAddress, useAddress } from './route.ts';
import { SearchPalette } from './search/search-palette.tsx';
import { AgentBadge, agentName, DRIVEN_AGENTS } from './sessions/agent-badge.tsx';
import { SessionList } from './sessions/session-list.tsx';
import { createSessionsStore, type SessionsStore } from './sessions/session-store.ts';
import { SettingsPage } from './settings/settings-page.tsx';

const UsagePage = lazy(async () => ({
  default: (await import('./usage/usage-page.tsx')).UsagePage,
}));

interface AppProps {
  readonly api: PageApi;
  readonly onSignOut: () => void;
}

/** The page of an authenticated user. */
export function App({ api, onSignOut }: AppProps) {
  const address = useAddress();
  const route = useMemo(() => {
    const { pathname, search } = new URL(address, location.origin);
    return readRoute(pathname, search);
  }, [address]);
  const [overlay, setOverlay] = useState<OverlayState>();
  const [message, setMessage] = useState('');
  const sessions = useMemo(() => createSessionsStore(api), [api]);
  const facts = useServerFacts(api);
  const roles = facts?.roles;
  const parts = useMemo<PageParts>(
    () => ({
      api,
      may: (role) => roles === undefined || roles.includes(role) || roles.includes('admin'),
      sessions,
      announce: setMessage,
      openSearch: (inside) => setOverlay({ kind: 'search', inside }),
      openHelp: () => setOverlay({ kind: 'help' }),
      create: (agent) => {
        api.createSession(agent).then(
          (id) => navigate(sessionAddress({ agent, id })),
          (error: Error) => setMessage(error.message),
        );
      },
    }),
    [api, sessions, roles],
  );
  const { create, openSearch, openHelp } = parts;
  useShellKeys({
    route,
    sessions,
    create: () => create('robota'),
    openSearch,
    openHelp,
  });
  useEffect(() => {
    if (route.page === 'search') openSearch();
  }, [route, openSearch]);
  usePageName(route, sessions);
  const currentId = route.page === 'session' ? route.id : undefined;
  return (
    <PageContext value={parts}>
      <div
        className="app"
        data-view={route.page === 'home' || route.page === 'search' ? 'list' : 'main'}
      >
        <SessionList
          facts={facts}
          currentId={currentId}
          onNew={() => create('robota')}
          onHelp={openHelp}
        />
        <main className="main">
          <RoutePage route={route} facts={facts} onNew={create} onSignOut={onSignOut} />
        </main>
      </div>
      <Announcer message={message} onDone={() => setMessage('')} />
      {overlay?.kind === 'search' && (
        <SearchPalette
          initialQuery={route.page === 'search' ? route.query : ''}
          inside={overlay.inside}
          onClose={() => setOverlay(undefined)}
        />
      )}
      {overlay?.kind === 'help' && <KeyHelp onClose={() => setOverlay(undefined)} />}
    </PageContext>
  );
}

interface OverlayState {
  readonly kind: 'search' | 'help';
  readonly inside?: SessionRow | undefined;
}

/** Sets the tab title to the open page and the number of sessions waiting for the user. */
function usePageName(route: PageRoute, sessions: SessionsStore): void {
  const { rows, totals } = useSyncExternalStore(sessions.subscribe, sessions.getState);
  const id = route.page === 'session' ? route.id : undefined;
  const title = rows.find((row) => row.id === id)?.title ?? PAGE_NAMES[route.page];
  useEffect(() => {
    const waiting = totals.waiting > 0 ? `(${totals.waiting}) ` : '';
    document.title = `${waiting}${title === '' ? '' : `${title} · `}Robota`;
  }, [title, totals.waiting]);
}

const PAGE_NAMES = {
  home: '',
  search: 'Search',
  session: '',
  usage: 'Usage',
  settings: 'Settings',
};

interface RoutePageProps {
  readonly route: PageRoute;
  readonly facts: ServerFacts | undefined;
  readonly onNew: (agent: string) => void;
  readonly onSignOut: () => void;
}

function RoutePage({ route, facts, onNew, onSignOut }: RoutePageProps): ReactNode {
  const mayStart = usePage().may('prompt');
  switch (route.page) {
    case 'session':
      return <SessionPage route={route} />;
    case 'usage':
      return (
        <Suspense fallback={<div className="page" aria-busy="true" />}>
          <UsagePage />
        </Suspense>
      );
    case 'settings':
      return <SettingsPage facts={facts} onSignOut={onSignOut} />;
    case 'home':
    case 'search':
      return (
        <div className="empty">
          <img src="/icon.svg" width="40" height="40" alt="" />
          <h1>Pick up where any agent left off</h1>
          <p>
            Every session of every agent on this machine is on the left. Search them with{' '}
            <kbd>Ctrl K</kbd>, or start one with <kbd>c</kbd>.
          </p>
          <fieldset className="start-buttons" disabled={!mayStart}>
            <legend className="visually-hidden">Start a session</legend>
            {DRIVEN_AGENTS.map((agent) => (
              <button key={agent} type="button" className="button" onClick={() => onNew(agent)}>
                <AgentBadge agent={agent} />
                New with {agentName(agent)}
              </button>
            ))}
          </fieldset>
        </div>
      );
  }
}

interface ShellKeys {
  readonly route: PageRoute;
  readonly sessions: SessionsStore;
  readonly create: () => void;
  readonly openSearch: () => void;
  readonly openHelp: () => void;
}

function useShellKeys({ route, sessions, create, openSearch, openHelp }: ShellKeys): void {
  const step = (by: number) => {
    const { rows } = sessions.getState();
    const at = route.page === 'session' ? rows.findIndex(({ id }) => id === route.id) : -1;
    const row = rows[Math.max(0, at + by)];
    if (row) navigate(sessionAddress(row));
  };
  usePageKeys({
    '/': () => openSearch(),
    '?': openHelp,
    c: create,
    '[': () => step(-1),
    ']': () => step(1),
    'g u': () => navigate('/usage'),
    'g s': () => navigate('/settings'),
  });
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      openSearch();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [openSearch]);
}

/** How long an announcement stays visible. */
const MESSAGE_MS = 6000;

function Announcer({ message, onDone }: { readonly message: string; readonly onDone: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message restarts the timer.
  useEffect(() => {
    if (message === '') return;
    const timer = setTimeout(onDone, MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  return (
    <div className="announcer" role="status">
      {message !== '' && <span className="announcement">{message}</span>}
    </div>
  );
}

function useServerFacts(api: PageApi): ServerFacts | undefined {
  const [facts, setFacts] = useState<ServerFacts>();
  useEffect(() => {
    // The page works without these facts; the session list reports a refused token.
    api.facts().then(setFacts, () => undefined);
  }, [api]);
  return facts;
}
