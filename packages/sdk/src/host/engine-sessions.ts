import { randomUUID } from 'node:crypto';
import type { SessionClaim } from '@robota-sdk/agent-archive';
import { InteractiveSession } from '../interactive/interactive-session.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import { toLiveSession } from '../live/engine-live-session.ts';
import type { LiveSession } from '../live/live-session.ts';
import { assertDirectory } from '../paths.ts';
import { createProjectSessionStore } from '../records/project-session-store.ts';
import { isOwnAgent } from './agent-sessions.ts';
import type { ClaimedEngine } from './archive-runner.ts';
import { type HostedSession, listSaved } from './hosted-session.ts';
import type { SessionCard } from './session-card.ts';
import { type HostArchive, SharedSessions, type SharedSessionsParts } from './shared-sessions.ts';

export interface EngineSessionsOptions {
  /** Options of every session of our own engine. */
  readonly defaults: AssembledSessionOptions;
  /** Options of a profile, for our own engine. */
  readonly resolveProfile?:
    | ((name: string) => ProfileOptions | Promise<ProfileOptions>)
    | undefined;
  /** Directory of a saved session whose card has none; that of `defaults` when undefined. */
  readonly findCwd?: ((id: string) => Promise<string | undefined>) | undefined;
  /** Archive that hosts share; without it sessions of our own engine run in this process. */
  readonly archive?: HostArchive | undefined;
}

export interface EngineSessionsParts {
  /** Creates the session of a claim that belongs to another agent's program. */
  readonly agentEngine: SharedSessionsParts['engine'];
  readonly onRemoved: SharedSessionsParts['onRemoved'];
  readonly onError: (error: Error) => void;
}

type ProfileOptions = Partial<AssembledSessionOptions>;

interface ResumedEngine {
  readonly session: LiveSession;
  readonly cwd: string;
}

/** Pending prompts of a hosted session before the next one is refused. */
export const QUEUE_DEPTH = 1_000;

/** Sessions of our own engine: in this process, or in an archive that hosts share. */
export class EngineSessions {
  readonly #options: EngineSessionsOptions;
  /** Undefined where sessions run in this process. */
  readonly shared: SharedSessions | undefined;

  constructor(options: EngineSessionsOptions, parts: EngineSessionsParts) {
    this.#options = options;
    const { agentEngine, ...callbacks } = parts;
    const engine = async (claim: SessionClaim, from?: string) => {
      const { agent = 'robota' } = claim.card as Partial<SessionCard>;
      return isOwnAgent(agent) ? this.#claimed(claim, from) : agentEngine(claim, from);
    };
    this.shared =
      options.archive && new SharedSessions({ ...options.archive, ...callbacks, engine });
  }

  /** A session of the archive is stored now and starts with its first prompt. */
  async create(card: SessionCard, options: ProfileOptions): Promise<LiveSession> {
    const given = { ...(await this.#profileOf(card.profile)), ...defined(options) };
    const { sessionId = randomUUID() } = given;
    if (!this.shared) assertDirectory(card.cwd);
    return this.shared?.create(sessionId, card) ?? toLiveSession(this.#engine(given));
  }

  /** Resumes a saved session; one that was created without a prompt has only a card and starts new. */
  async resume(
    id: string,
    card: SessionCard | undefined,
    given: ProfileOptions = {},
  ): Promise<ResumedEngine> {
    const { model, permissionMode, profile } = card ?? {};
    const found = card?.cwd ?? (await this.#options.findCwd?.(id));
    const cwd = found ?? this.#options.defaults.cwd;
    if (this.shared) {
      const session = await this.shared.open(id);
      if (!session) throw notFound(id);
      return { session, cwd: session.getCwd() ?? cwd };
    }
    const set = defined({ model, permissionMode, cwd });
    const options = { ...(await this.#profileOf(profile)), ...set, ...given };
    const session = toLiveSession(this.#engine({ ...options, resumeSessionId: id }));
    try {
      await ready(session);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (!card || code !== 'session_not_found') throw error;
      return { session: toLiveSession(this.#engine({ ...options, sessionId: id })), cwd };
    }
    return { session, cwd };
  }

  /** Saved sessions, of `cwd` if given. */
  async list(cwd?: string): Promise<readonly HostedSession[]> {
    const { sessionStore, cwd: own } = this.#options.defaults;
    const isOther = cwd !== undefined && cwd !== own;
    const store = sessionStore && isOther ? createProjectSessionStore(cwd) : sessionStore;
    return (await this.shared?.list()) ?? listSaved(store);
  }

  #engine(options: ProfileOptions): InteractiveSession {
    const given = { queueDepth: QUEUE_DEPTH, ...this.#options.defaults, ...options };
    return new InteractiveSession(given);
  }

  /** The engine of a claimed session; everything it writes is checked against the claim. */
  async #claimed(
    { id, card, hasLines, logger, records }: SessionClaim,
    from?: string,
  ): Promise<ClaimedEngine> {
    const { model, permissionMode, profile, name } = card as Partial<SessionCard>;
    const { cwd = this.#options.defaults.cwd } = card as Partial<SessionCard>;
    const set = defined({ model, permissionMode, cwd });
    const past = from ?? (hasLines ? id : undefined);
    const session = this.#engine({
      ...(await this.#profileOf(profile)),
      ...set,
      ...(past !== undefined && { resumeSessionId: past }),
      ...(from !== undefined && { forkSession: true }),
      ...(past !== id && { sessionId: id, ...defined({ sessionName: name }) }),
      sessionLogger: logger,
      sessionStore: records,
      logDirectory: undefined,
    });
    return { live: toLiveSession(session), whenWritten: () => session.whenWritten() };
  }

  async #profileOf(profile: string | undefined): Promise<ProfileOptions> {
    if (profile === undefined) return {};
    const { resolveProfile } = this.#options;
    if (resolveProfile) return resolveProfile(profile);
    const error = new Error(`There is no profile called "${profile}".`);
    throw Object.assign(error, { code: 'unknown_profile' });
  }
}

/** Resolves when the history is loaded; shuts the session down if that fails. */
export async function ready(session: LiveSession): Promise<void> {
  try {
    await session.whenReady();
  } catch (error) {
    await session.shutdown();
    throw error;
  }
}

/** Drops undefined fields, so that they do not override defaults. */
export function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Fields;
}

export function notFound(id: string): Error {
  return Object.assign(new Error(`Session not found: ${id}`), { code: 'session_not_found' });
}
