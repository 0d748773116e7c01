import { useSession } from '@robota-sdk/agent-transport/react';
import { useEffect, useState } from 'react';
import type { SessionDetails } from '../api-types.ts';
import { usePage } from '../page-context.ts';
import type { PageRoute } from '../route.ts';
import { ConversationPage } from './conversation-page.tsx';

export type SessionRoute = Extract<PageRoute, { page: 'session' }>;

/** Finds out what kind of session it is, then shows it. */
export function SessionPage({ route }: { readonly route: SessionRoute }) {
  const { api } = usePage();
  const [details, setDetails] = useState<SessionDetails>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isCurrent = true;
    setProblem(undefined);
    api.describe(route.id).then(
      (found) => isCurrent && setDetails(found),
      (error: Error) => isCurrent && setProblem(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, route.id]);
  if (problem !== undefined) {
    return (
      <div className="empty" role="alert">
        <h2>This session cannot be shown</h2>
        <p>{problem}</p>
      </div>
    );
  }
  if (details?.session.id !== route.id) return <LoadingConversation />;
  const Page = details.session.access === 'closed' ? ClosedSession : LiveSession;
  return <Page key={`${route.id}/${route.thread}`} route={route} details={details} />;
}

interface SessionProps {
  readonly route: SessionRoute;
  readonly details: SessionDetails;
}

function LiveSession(props: SessionProps) {
  const { api } = usePage();
  const [live, store] = useSession(api.url, props.route.id, { token: api.token });
  return <ConversationPage {...props} live={live} store={store} />;
}

function ClosedSession(props: SessionProps) {
  return <ConversationPage {...props} live={undefined} store={undefined} />;
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
