import { join } from 'node:path';
import { toAgentName, toAgentType } from '@robota-sdk/agent-transcript';
import { type AgentLiveOptions, AgentLiveSession } from '../live/agent-live-session.ts';
import { type AgentPlace, openAgentPlace } from '../live/agent-place.ts';
import { FollowedSession } from '../live/followed-session.ts';
import { userPaths } from '../paths.ts';

export interface AgentSessionsOptions {
  /** Where a session runs and is kept: in the directory it is asked for, in the user's own home, unless given. */
  readonly openPlace?: ((request: AgentPlaceRequest) => Promise<AgentPlace>) | undefined;
}

export interface AgentPlaceRequest {
  /** What people call the agent. */
  readonly agent: string;
  readonly cwd: string;
  readonly profile?: string | undefined;
}

export type AgentSessionRequest = Omit<AgentLiveOptions, 'type' | 'place'> & AgentPlaceRequest;

/** Whether our own engine is meant. */
export function isOwnAgent(agent: string): boolean {
  return toAgentName(agent) === 'robota';
}

/** Refuses a name that nobody has; `code` is `unknown_agent`. */
function agentTypeOf(agent: string): string {
  const type = toAgentType(agent);
  if (type !== undefined) return type;
  const error = new Error(`There is no agent called "${agent}".`);
  throw Object.assign(error, { code: 'unknown_agent' });
}

/** Sessions of other agent programs: driven here, or followed where somebody else runs them. */
export class AgentSessions {
  readonly #openPlace: (request: AgentPlaceRequest) => Promise<AgentPlace>;

  constructor({ openPlace }: AgentSessionsOptions) {
    this.#openPlace = openPlace ?? ((request) => openAgentPlace(request));
  }

  async open({ agent, cwd, profile, ...options }: AgentSessionRequest): Promise<AgentLiveSession> {
    const type = agentTypeOf(agent);
    const { registeredAgent } = await import('@robota-sdk/agent-transcript/architectures');
    if (registeredAgent(type).createAdapter === undefined) {
      const error = new Error(`Sessions of ${agent} can be followed, not driven.`);
      throw Object.assign(error, { code: 'not_supported' });
    }
    const place = await this.#openPlace({ agent: toAgentName(type), cwd, profile });
    return new AgentLiveSession({ ...options, type, place });
  }

  /** A session that another process writes, of any agent. */
  follow(agent: string, sessionId: string): FollowedSession {
    const type = agentTypeOf(agent);
    const path = isOwnAgent(type) ? join(userPaths().logs, `${sessionId}.jsonl`) : undefined;
    return new FollowedSession({ type, sessionId, path });
  }
}
