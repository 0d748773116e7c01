import { useSession } from '@robota-sdk/agent-transport/react';
import { useEffect, useState } from 'react';
import type { SessionDetails } from '../api-types.ts';
import { usePage } from '../page-context.ts';
import type { PageRoute } from '../route.ts';
import { ConversationPage } from './conversation-page.tsx';

export type SessionRoute = Extract<PageRoute, { page: 'session' }>;

/** Blocks loaded initially; earlier ones are fetched on scrolling. */
const TAIL = 200;

/** Loads a session's details, then shows it. */
export function SessionPage({ route }: { readonly route: SessionRoute }) {
  const { api } = usePage();
  const { id, agent } = route;
  const [details, setDetails] = useState<SessionDetails>();
  const [problem, setProblem] = useState<string>();
  const [look, setLook] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: reloads on demand.
  useEffect(() => {
    let isCurrent = true;
    setProblem(undefined);
    api.describe({ id, agent }).then(
      (found) => isCurrent && setDetails(found),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, id, agent, look]);
  if (problem !== undefined) {
    return (
      <div className="empty" role="alert">
        <h2>This session cannot be shown</h2>
        <p>{problem}</p>
      </div>
    );
  }
  const isShown = details?.session.id === id || details?.session.native_id === id;
  if (!details || !isShown) return <LoadingConversation />;
  return (
    <OpenSession
      key={`${agent}/${id}/${route.thread}`}
      route={route}
      details={details}
      onOpened={() => setLook(look + 1)}
    />
  );
}

interface OpenSessionProps {
  readonly route: SessionRoute;
  readonly details: SessionDetails;
  /** The session was resumed and has more details now. */
  readonly onOpened: () => void;
}

function OpenSession({ onOpened, ...props }: OpenSessionProps) {
  const { api } = usePage();
  const { id, agent } = props.details.session;
  const [live, store] = useSession(api.url, id, {
    token: api.token,
    agent,
    tail: TAIL,
    surface: pageSurface(),
  });
  const isUnknown = props.details.session.access === 'drive' && !props.details.commands;
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when connected.
  useEffect(() => {
    if (live.isReady && isUnknown) onOpened();
  }, [live.isReady]);
  return <ConversationPage {...props} live={live} store={store} />;
}

const SURFACE = 'robota.surface';

/** The surface id of this tab; survives a reload. */
function pageSurface(): string {
  const known = sessionStorage.getItem(SURFACE);
  if (known !== null) return known;
  const fresh = `page:${crypto.getRandomValues(new Uint32Array(2)).join('-')}`;
  sessionStorage.setItem(SURFACE, fresh);
  return fresh;
}

function LoadingConversation() {
  return (
    <div className="conversation-rows" aria-busy="true">
      <p className="visually-hidden" role="status">
        Loading the conversation
      </p>
      {[96, 36, 180, 36, 120].map((height) => (
        <div key={height} className="row">
          <div className="row-placeholder" />
        </div>
      ))}
    </div>
  );
}
