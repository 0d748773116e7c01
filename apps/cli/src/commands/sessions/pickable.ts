import type { PickableSession } from '../../terminal/state/overlay.ts';
import { type FoundSession, sessionTitle } from './found-session.ts';
import { timeAgo } from './time-ago.ts';

export function toPickable(session: FoundSession, cwd: string): PickableSession {
  const place = session.cwd === cwd ? undefined : session.cwd;
  return {
    id: session.id,
    agent: session.agent,
    title: sessionTitle(session),
    updatedAt: session.updatedAt,
    detail: [timeAgo(session.updatedAt), place].filter(Boolean).join(' · '),
  };
}
