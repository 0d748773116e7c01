import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { agentTitle } from '../../arguments/read-agent.ts';
import type { PickableSession } from '../../terminal/state/overlay.ts';
import { timeAgo } from './time-ago.ts';

export function toPickable(session: CatalogueSession, cwd: string): PickableSession {
  return {
    id: session.id,
    agent: session.agent,
    agentName: agentTitle(session.agent),
    title: session.title,
    updatedAt: session.updatedAt,
    when: timeAgo(session.updatedAt).replace(/ ago$/, ''),
    directory: session.cwd,
    isHere: session.cwd === cwd,
    blockCount: session.messages,
    live: session.isLive ? 'works' : undefined,
  };
}
