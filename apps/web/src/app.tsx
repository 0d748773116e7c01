import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import type { PageApi } from './api.ts';
import type { ServerFacts } from './api-types.ts';
import { SessionPage } from './conversation/session-page.tsx';
import { KeyHelp } from './keys/key-help.tsx';
import { usePageKeys } from './keys/page-keys.ts';
import { PageContext, type PageParts } from './page-context.ts';
import { navigate, type PageRoute, readRoute, sessionAddress, useAddress } from './route.ts';
import { SearchPalette } from './search/search-palette.tsx';
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

/** The whole page, once it has been let in. */
export function App({ api, onSignOut }: AppProps) {
  const address = useAddress();
  const route = useMemo(() => {
    const { pathname, search } = new URL(address, location.origin);
    return readRoute(pathname, search);
  }, [address]);
  const [overlay, setOverlay] = useState<'search' | 'help'>();
  const [message, setMessage] = useState('');
  const sessions = useMemo(() => createSessionsStore(api), [api]);
  const facts = useServerFacts(api);
  const parts = useMemo<PageParts>(
    () => ({ api, sessions, announce: setMessage, openSearch: () => setOverlay('search') }),
    [api, sessions],
  );
  const create = () => {
    api.createSession().then(
      (id) => navigate(sessionAddress({ agent: 'robota', id })),
      (error: Error) => setMessage(error.message),
    );
  };
  useShellKeys({
    route,
    sessions,
    create,
    openSearch: parts.openSearch,
    openHelp: () => setOverlay('help'),
  });
  useEffect(() => {
    if (route.page === 'search') setOverlay('search');
  }, [route]);
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
          onNew={create}
          onHelp={() => setOverlay('help')}
        />
        <main className="main">
          <RoutePage route={route} facts={facts} onSignOut={onSignOut} />
        </main>
      </div>
      <Announcer message={message} onDone={() => setMessage('')} />
      {overlay === 'search' && (
        <SearchPalette
          initialQuery={route.page === 'search' ? route.query : ''}
          onClose={() => setOverlay(undefined)}
        />
      )}
      {overlay === 'help' && <KeyHelp onClose={() => setOverlay(undefined)} />}
    </PageContext>
  );
}

interface RoutePageProps {
  readonly route: PageRoute;
  readonly facts: ServerFacts | undefined;
  readonly onSignOut: () => void;
}

function RoutePage({ route, facts, onSignOut }: RoutePageProps): ReactNode {
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
    '/': openSearch,
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

/** How long something said stays in view. */
const MESSAGE_MS = 6000;

function Announcer({ message, onDone }: { readonly message: string; readonly onDone: () => void }) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message begins a new wait.
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
    // The page works without its server's name; a refused token is told by the list.
    api.facts().then(setFacts, () => undefined);
  }, [api]);
  return facts;
}
