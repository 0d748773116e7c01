import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  AgentSetting,
  TranscriptPersistence,
} from '@robota-sdk/agent-transcript/architectures';
import { toAgentName, toAgentType } from '@robota-sdk/agent-transcript/blocks';
import { refuseForbiddenBypass } from '../config/forbidden-bypass.ts';
import type { WorkspaceTrust } from '../config/trust.ts';
import { type AgentLiveOptions, AgentLiveSession } from '../live/agent-live-session.ts';
import { type AgentPlace, type LoadProfile, openAgentPlace } from '../live/agent-place.ts';
import { FollowedSession } from '../live/followed-session.ts';
import { homeDirectory, userPaths } from '../paths.ts';
import { findAcpProgram } from './acp-program.ts';
import type { SessionCard } from './session-card.ts';

export interface AgentSessionsOptions {
  /** Where a session runs and is kept: in the directory it is asked for, in the user's own home, unless given. */
  readonly openPlace?: ((request: AgentPlaceRequest) => Promise<AgentPlace>) | undefined;
  /** What the name of a profile stands for; without it sessions of other agents have none. */
  readonly loadProfile?: LoadProfile | undefined;
  /** Where transcripts are kept that hosts share; in files of this machine unless given. */
  readonly persistence?: TranscriptPersistence | undefined;
  /** Whether settings of the directory may name programs; what the user has said of it unless given. */
  readonly trust?: WorkspaceTrust | undefined;
}

/** For which agent, directory and profile a place is wanted. */
export interface AgentPlaceRequest {
  /** What people call the agent. */
  readonly agent: string;
  readonly cwd: string;
  readonly profile?: string | undefined;
  /** What is started in place of the agent's own program. */
  readonly program?: AgentSetting['program'];
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
  const how = agent.startsWith('acp:')
    ? ` Say how it is started: "agents": { "${agent.slice(4)}": { "command": "…" } } in your settings.`
    : '';
  const error = new Error(`There is no agent called "${agent}".${how}`);
  throw Object.assign(error, { code: 'unknown_agent' });
}

/** Sessions of other agent programs: driven here, or followed where somebody else runs them. */
export class AgentSessions {
  readonly #openPlace: (request: AgentPlaceRequest) => Promise<AgentPlace>;
  readonly #trust: WorkspaceTrust | undefined;
  readonly #persistence: TranscriptPersistence | undefined;

  constructor({ openPlace, loadProfile, trust, persistence }: AgentSessionsOptions) {
    this.#trust = trust;
    this.#persistence = persistence;
    this.#openPlace =
      openPlace ?? ((request) => openAgentPlace({ ...request, loadProfile, persistence }));
  }

  /** What is needed to go on with a session that another host drove; undefined where none of that id is shared. */
  async find(id: string, node: string): Promise<SessionCard | undefined> {
    const saved = await this.#persistence?.loadSession(id);
    if (!saved) return undefined;
    const { workspaceDirectory, agentSessionId } = saved.metadata ?? {};
    if (typeof workspaceDirectory !== 'string') return undefined;
    return {
      agent: toAgentName(saved.type),
      cwd: workspaceDirectory,
      ...(typeof agentSessionId === 'string' && { nativeId: agentSessionId }),
      node,
    };
  }

  async open({ agent, cwd, profile, ...options }: AgentSessionRequest): Promise<AgentLiveSession> {
    const program = await findAcpProgram(agent, { cwd, trust: this.#trust });
    const type = agentTypeOf(agent);
    const { registeredAgent } = await import('@robota-sdk/agent-transcript/architectures');
    if (registeredAgent(type).createAdapter === undefined) {
      const error = new Error(`Sessions of ${agent} can be followed, not driven.`);
      throw Object.assign(error, { code: 'not_supported' });
    }
    await refuseForbiddenBypass(options.permissionMode, cwd);
    const place = await this.#openPlace({ agent: toAgentName(type), cwd, profile, program });
    return new AgentLiveSession({ ...options, type, place });
  }

  /** Erases what we wrote down of a session; the files of its own program are not ours. */
  async erase(sessionId: string, { agent, cwd, nativeId }: SessionCard): Promise<void> {
    const where = existsSync(cwd) ? cwd : homeDirectory();
    const place = await this.#openPlace({ agent, cwd: where });
    await place.persistence.deleteSession(sessionId);
    const journal = place.journalFile(sessionId);
    if (journal !== undefined) await rm(journal, { force: true });
    if (!agent.startsWith('acp:') || nativeId === undefined) return;
    const { acpTranscriptPath } = await import('@robota-sdk/agent-transcript/architectures');
    await rm(acpTranscriptPath(place.home, agent.slice('acp:'.length), nativeId), { force: true });
  }

  /** A session that another process writes, of any agent. */
  follow(agent: string, sessionId: string): FollowedSession {
    const type = agentTypeOf(agent);
    const path = isOwnAgent(type) ? join(userPaths().logs, `${sessionId}.jsonl`) : undefined;
    return new FollowedSession({ type, sessionId, path });
  }
}
