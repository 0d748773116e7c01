import type { PickableSession } from '../../terminal/state/overlay.ts';
import { type FoundSession, sessionTitle } from './found-session.ts';
import { timeAgo } from './time-ago.ts';

const AGENT_NAMES: Readonly<Record<string, string>> = {
  robota: 'Robota',
  'claude-agent-sdk': 'Claude Code',
  codex: 'Codex',
  'gemini-cli': 'Gemini CLI',
};

export function toPickable(session: FoundSession, cwd: string): PickableSession {
  return {
    id: session.id,
    agent: session.agent,
    agentName: AGENT_NAMES[session.agent] ?? session.agent,
    title: sessionTitle(session),
    updatedAt: session.updatedAt,
    when: timeAgo(session.updatedAt).replace(/ ago$/, ''),
    directory: session.cwd,
    isHere: session.cwd === cwd,
    blockCount: session.messageCount,
  };
}
