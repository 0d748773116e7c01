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
  /** Opens the place where a session runs and is stored; by default the requested directory and the user's home. */
  readonly openPlace?: ((request: AgentPlaceRequest) => Promise<AgentPlace>) | undefined;
  /** Loads a profile by name; without it sessions of other agents have no profiles. */
  readonly loadProfile?: LoadProfile | undefined;
  /** Transcripts shared between hosts; files on this machine by default. */
  readonly persistence?: TranscriptPersistence | undefined;
  /** Whether the directory's settings may name programs; by default what the user decided for it. */
  readonly trust?: WorkspaceTrust | undefined;
}

/** Agent, directory and profile that a place is requested for. */
export interface AgentPlaceRequest {
  /** The agent's name as users write it. */
  readonly agent: string;
  readonly cwd: string;
  readonly profile?: string | undefined;
  /** Started instead of the agent's own program. */
  readonly program?: AgentSetting['program'];
}

export interface AgentDrive {
  readonly type: string;
  readonly program: AgentSetting['program'];
}

export interface ClaimedRequest {
  readonly archive: SharedArchive;
  /** The session to fork from. */
  readonly from?: string | undefined;
  readonly queueDepth?: number | undefined;
}

export type AgentSessionRequest = Omit<AgentLiveOptions, 'type' | 'place'> & AgentPlaceRequest;

export function isOwnAgent(agent: string): boolean {
  return toAgentName(agent) === 'robota';
}

/** Throws `unknown_agent` for an unknown name. */
function agentTypeOf(agent: string): string {
  const type = toAgentType(agent);
  if (type !== undefined) return type;
  const how = agent.startsWith('acp:')
    ? ` Say how it is started: "agents": { "${agent.slice(4)}": { "command": "…" } } in your settings.`
    : '';
  const error = new Error(`There is no agent called "${agent}".${how}`);
  throw Object.assign(error, { code: 'unknown_agent' });
}

/** Sessions of other agents' programs: driven here, or followed while another process runs them. */
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

  /** The card for continuing a session that another host drove; undefined without a shared transcript. */
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

  /** Rejects what no node could drive: an unknown agent, one that can only be followed, a forbidden mode. */
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

  /** Drives a claimed session here and writes every event to the archive for the other nodes. */
  async claimed(claim: SessionClaim, request: ClaimedRequest): Promise<ClaimedEngine> {
    const { AgentLines } = await import('../live/agent-lines.ts');
    const lines = await AgentLines.open(claim, request.archive);
    let live: AgentLiveSession | undefined;
    try {
      const { agent, cwd, model, permissionMode, profile, name } = claim.card as SessionCard &
        object;
      const sessionId = claim.id;
      const begin = await this.#begin(sessionId, request.from);
      const fields = { sessionId, agent, cwd, model, permissionMode, profile, name, begin };
      const { queueDepth } = request;
      live = await this.open({ ...fields, queueDepth, journal: lines });
      await readyWhenUnlocked(live, claim.lost);
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

  /** Deletes our own files about a session; those of the agent's program stay. */
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

/** Longer than a dead node's lock on a transcript lasts. */
const LOCK_WAIT_MS = 20_000;
const LOCK_POLL_MS = 200;

/** Waits while the previous node still releases the transcript. */
async function readyWhenUnlocked(session: AgentLiveSession, lost: AbortSignal): Promise<void> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return await session.whenReady();
    } catch (error) {
      const isLocked = (error as { readonly code?: unknown }).code === 'session_locked';
      if (!isLocked || lost.aborted || performance.now() > deadline) throw error;
      await delay(LOCK_POLL_MS);
    }
  }
}
