import type { RemoteSessionState } from '@robota-sdk/agent-transport/react';
import { Monitor, TriangleAlert, WifiOff } from 'lucide-react';
import type { SessionRow } from '../api-types.ts';
import { agentName } from '../sessions/agent-badge.tsx';

interface StateBannerProps {
  readonly session: SessionRow;
  readonly live: RemoteSessionState;
  readonly wasReady: boolean;
}

/** Tells the user when the session is read-only or may be out of date. */
export function StateBanner(props: StateBannerProps) {
  const { session, live, wasReady } = props;
  return (
    <div role="status">
      {live.connection.state === 'closed' ? (
        <div className="banner banner-bad">
          <TriangleAlert aria-hidden="true" />
          <span className="grow">{live.connection.reason || 'The session was closed.'}</span>
        </div>
      ) : (
        live.connection.state === 'connecting' &&
        wasReady && (
          <div className="banner banner-wait">
            <WifiOff aria-hidden="true" />
            <span className="grow">
              Connection lost; trying again. What you type is kept, and nothing will be missed.
            </span>
          </div>
        )
      )}
      {session.access === 'follow' && <FollowBanner session={session} />}
      {live.notices.slice(-1).map((notice) => (
        <div key={notice.message} className="banner">
          <TriangleAlert aria-hidden="true" />
          <span className="grow" dir="auto">
            {notice.message}
          </span>
        </div>
      ))}
    </div>
  );
}

function FollowBanner({ session }: Pick<StateBannerProps, 'session'>) {
  return (
    <div className="banner">
      <Monitor aria-hidden="true" />
      <span className="grow">
        This session runs in {agentName(session.agent)}. You are following it as it is written.
      </span>
    </div>
  );
}
