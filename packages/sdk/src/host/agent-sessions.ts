import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SessionClaim, SharedArchive } from '@robota-sdk/agent-archive';
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
import { type ClaimedEngine, UNAVAILABLE } from './archive-runner.ts';
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

/** How an agent is driven. */
export interface AgentDrive {
  readonly type: string;
  readonly program: AgentSetting['program'];
}

export interface ClaimedRequest {
  readonly archive: SharedArchive;
  /** The session that this one begins as a copy of. */
  readonly from?: string | undefined;
  readonly queueDepth?: number | undefined;
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

  /** Refuses what no node could drive: a name nobody has, an agent that can only be followed, a forbidden mode. */
  async check({ agent, cwd, permissionMode }: SessionCard): Promise<AgentDrive> {
    const program = await findAcpProgram(agent, { cwd, trust: this.#trust });
    const type = agentTypeOf(agent);
    const { registeredAgent } = await import('@robota-sdk/agent-transcript/architectures');
    if (registeredAgent(type).createAdapter === undefined) {
      const error = new Error(`Sessions of ${agent} can be followed, not driven.`);
      throw Object.assign(error, { code: 'not_supported' });
    }
    await refuseForbiddenBypass(permissionMode, cwd);
    return { type, program };
  }

  async open({ agent, cwd, profile, ...options }: AgentSessionRequest): Promise<AgentLiveSession> {
    const { permissionMode } = options;
    const { type, program } = await this.check({ agent, cwd, permissionMode, node: '' });
    const place = await this.#openPlace({ agent: toAgentName(type), cwd, profile, program });
    return new AgentLiveSession({ ...options, type, place });
  }

  /** The session of a claim: driven here, with everything that happens written to the archive for the other nodes. */
  async claimed(claim: SessionClaim, request: ClaimedRequest): Promise<ClaimedEngine> {
    const { AgentLines } = await import('../live/agent-lines.ts');
    const lines = await AgentLines.open(claim, request.archive);
    let live: AgentLiveSession | undefined;
    try {
      const { agent, cwd, model, permissionMode, profile, name } = claim.card as SessionCard &
        object;
      const sessionId = claim.id;
      const begin = await this.#begin(sessionId, request.from);
      const asked = { sessionId, agent, cwd, model, permissionMode, profile, name, begin };
      const { queueDepth } = request;
      live = await this.open({ ...asked, queueDepth, journal: lines });
      await readyWhenFree(live, claim.lost);
    } catch (error) {
      await live?.shutdown().catch(() => undefined);
      const { message } = error as Error;
      await lines.abandon(message).catch(() => undefined);
      throw Object.assign(new Error(message, { cause: error }), { code: UNAVAILABLE });
    }
    return { live, whenWritten: () => lines.written() };
  }

  async #begin(sessionId: string, from: string | undefined): Promise<AgentLiveOptions['begin']> {
    if (from !== undefined) return { forkOf: from };
    return (await this.#persistence?.loadSession(sessionId)) ? 'open' : 'new';
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

/** Longer than the right to write a transcript lasts when the node that had it died. */
const FREE_WITHIN_MS = 20_000;
const LOOK_AGAIN_MS = 200;

/** The node that had the session before may still be letting go of its transcript. */
async function readyWhenFree(session: AgentLiveSession, lost: AbortSignal): Promise<void> {
  const deadline = performance.now() + FREE_WITHIN_MS;
  for (;;) {
    try {
      return await session.whenReady();
    } catch (error) {
      const isLocked = (error as { readonly code?: unknown }).code === 'session_locked';
      if (!isLocked || lost.aborted || performance.now() > deadline) throw error;
      await delay(LOOK_AGAIN_MS);
    }
  }
}
