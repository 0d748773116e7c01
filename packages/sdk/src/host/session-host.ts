import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { SessionStore } from '@robota-sdk/agent-store';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { AssembledSessionOptions, SubmitOptions } from '../interactive/options.ts';
import { type AcceptedSubmit, isAccepting } from '../live/accepting-session.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { SessionView } from '../live/session-view.ts';
import { AgentSessions, type AgentSessionsOptions, isOwnAgent } from './agent-sessions.ts';
import {
  EngineSessions,
  type EngineSessionsOptions,
  notFound,
  QUEUE_DEPTH,
  ready,
} from './engine-sessions.ts';
import { HeldSession } from './held-session.ts';
import { describeLive, describeStored, type HostedSession, withStored } from './hosted-session.ts';
import { cardOf, promptsOf, type SessionCard } from './session-card.ts';
import {
  CONNECTION_PREFIX,
  type InboundText,
  type SessionOwner,
  StoredSessions,
} from './stored-sessions.ts';
import { SurfaceRegister } from './surface-register.ts';

/** Stores, agents and limits of a session host. */
export interface SessionHostOptions extends AgentSessionsOptions, EngineSessionsOptions {
  /** Joins a session that another process runs, of any agent; undefined where it cannot be reached. */
  readonly openElsewhere?: ((id: string) => Promise<LiveSession | undefined>) | undefined;
  /** Owners, surfaces and pending prompts of each session; in memory by default. */
  readonly store?: SessionStore | undefined;
  /** Agent of sessions created without one; our own by default. */
  readonly agent?: string | undefined;
  /** This server's name; stable across restarts. */
  readonly node?: string | undefined;
  /** Owner of sessions created without one. */
  readonly userId?: string | undefined;
  readonly detachAfterMs?: number | undefined;
  /** Called with failures outside a turn; emits a process warning by default. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** Options of a new session that override the host's defaults. */
export interface NewSession extends Partial<AssembledSessionOptions> {
  readonly agent?: string | undefined;
  readonly profile?: string | undefined;
  readonly owner?: SessionOwner | undefined;
}

type OpenListener = (session: LiveSession) => void;
type CloseListener = (session: LiveSession, reason: string) => void;

const DETACH_AFTER_MS = 30_000;
const IDLE_MS = 3_600_000;

/**
 * Holds a server's live sessions of every agent, each with its stored session. Idle sessions are closed and
 * reopened by the next prompt; a session without prompts costs next to nothing.
 */
export class SessionHost {
  readonly #options: SessionHostOptions;
  readonly #node: string;
  readonly #stored: StoredSessions;
  readonly #surfaces: SurfaceRegister;
  readonly #agents: AgentSessions;
  readonly #engines: EngineSessions;
  readonly #live = new Map<string, HeldSession>();
  readonly #opening = new Map<string, Promise<LiveSession>>();
  readonly #openListeners = new Set<OpenListener>();
  readonly #closeListeners = new Set<CloseListener>();

  constructor(options: SessionHostOptions) {
    this.#options = options;
    this.#node = options.node ?? hostname();
    const onError = options.onError ?? ((error: Error) => process.emitWarning(error));
    this.#stored = new StoredSessions({ store: options.store, onError });
    this.#surfaces = new SurfaceRegister({
      stored: this.#stored,
      node: this.#node,
      detachAfterMs: options.detachAfterMs ?? DETACH_AFTER_MS,
    });
    this.#agents = new AgentSessions({
      trust: options.defaults.trust,
      persistence: options.archive?.transcripts,
      ...options,
    });
    const { archive } = options;
    this.#engines = new EngineSessions(options, {
      onError,
      onRemoved: (id) => void this.#attempt(this.#closeRemoved(id)),
      agentEngine: (claim, from) => {
        if (!archive) throw new Error('Only sessions of an archive are claimed');
        const queueDepth = options.defaults.queueDepth ?? QUEUE_DEPTH;
        return this.#agents.claimed(claim, { archive: archive.archive, from, queueDepth });
      },
    });
  }

  /** Joins the nodes that run the archive's sessions; does nothing without an archive. */
  async start(): Promise<void> {
    await this.#engines.shared?.start();
  }

  /** False while the archive's database is unreachable, so none of its sessions can run here. */
  get isReady(): boolean {
    return this.#engines.shared?.isReady ?? true;
  }

  /** Runs a session of the archive on this node, even if another node runs it. */
  async takeOver(id: string): Promise<boolean> {
    return (await this.#engines.shared?.takeOver(id)) ?? false;
  }

  /** Rejects with `session_exists` for an id that is taken, `unknown_agent` for an unknown name. */
  create(request: NewSession = {}): Promise<LiveSession> {
    const sessionId = request.sessionId ?? randomUUID();
    if (this.#live.has(sessionId) || this.#opening.has(sessionId)) {
      const error = new Error(`Session ${sessionId} is open already.`);
      return Promise.reject(Object.assign(error, { code: 'session_exists' }));
    }
    return this.#once(sessionId, () => this.#create({ ...request, sessionId }));
  }

  /**
   * The live session, or the saved one resumed; the options apply to our own engine only. Concurrent calls get the
   * same session.
   */
  async open(id: string, options?: Partial<AssembledSessionOptions>): Promise<LiveSession> {
    return this.#live.get(id)?.session ?? this.#once(id, () => this.#resume(id, options));
  }

  /** Undefined when it is not open here. */
  get(id: string): LiveSession | undefined {
    return this.#live.get(id)?.session;
  }

  live(): LiveSession[] {
    return [...this.#live.values()].map(({ session }) => session);
  }

  /** One session as `list` shows it; undefined when neither this process nor the store knows it. */
  async describe(id: string): Promise<HostedSession | undefined> {
    const stored = (await this.#stored.get(id)) ?? undefined;
    const held = this.#live.get(id);
    if (held) return withStored(describeLive(held.session), stored);
    const listed = stored && stored.state !== 'expired' ? describeStored(stored) : undefined;
    if (!listed || (await this.#isDeleted(listed))) return undefined;
    return withStored(listed, stored);
  }

  /** A read-only view of a session that another process writes. */
  follow(agent: string, id: string): SessionView {
    return this.#agents.follow(agent, id);
  }

  /** The session that a surface's message belongs to, by sender and surface; created when there is none. */
  async sessionFor(message: InboundText): Promise<LiveSession> {
    const stored = await this.#stored.resolve(message);
    const live = this.#live.get(stored.id)?.session;
    if (live) return live;
    const owner = { userId: message.userId, workspaceId: message.workspaceId };
    return this.#once(stored.id, () =>
      cardOf(stored) ? this.#resume(stored.id) : this.#create({ sessionId: stored.id, owner }),
    );
  }

  /**
   * Sends a prompt to a session that is open here. Once it resolves, the prompt is stored: it runs exactly once, even
   * if its sender repeats it or this process ends.
   */
  async submit(id: string, text: string, options: SubmitOptions = {}): Promise<AcceptedSubmit> {
    const held = this.#live.get(id);
    if (!held) throw notFound(id);
    if (isAccepting(held.session)) return held.session.accept(text, options);
    return held.submit(options.messageId ?? randomUUID(), text, options);
  }

  /** Live sessions first, then saved ones; `cwd` selects the directory whose saved sessions of our own engine are listed. */
  async list(cwd?: string): Promise<HostedSession[]> {
    const stored = new Map((await this.#stored.all()).map((session) => [session.id, session]));
    const listed = new Map<string, HostedSession>();
    for (const { session } of this.#live.values()) {
      listed.set(session.sessionId, describeLive(session));
    }
    const saved = await this.#engines.list(cwd);
    const carded = [...stored.values()].flatMap((session) => describeStored(session) ?? []);
    const isUnknown = ({ id }: HostedSession) =>
      !listed.has(id) && stored.get(id)?.state !== 'expired';
    for (const one of saved.filter(isUnknown)) listed.set(one.id, one);
    for (const one of carded.filter(isUnknown))
      if (!(await this.#isDeleted(one))) listed.set(one.id, one);
    return [...listed.values()].map((one) => withStored(one, stored.get(one.id)));
  }

  /** Whether another node deleted a session that only the store of this one still knows. */
  async #isDeleted({ id, agent }: HostedSession): Promise<boolean> {
    const shared = isOwnAgent(agent) ? this.#engines.shared : this.#sharedAgents;
    return shared !== undefined && !(await shared.has(id));
  }

  /** A copy under a new id; the original stays as it is. */
  async fork(id: string, at?: string): Promise<LiveSession> {
    const original = await this.open(id);
    const copy = await original.fork({ at });
    const cwd = copy.getCwd() ?? this.#options.defaults.cwd;
    return this.#hold(copy, { agent: copy.agent, cwd, node: this.#node });
  }

  /** Attaches a surface until the returned function is called. */
  connectSurface(id: string, surfaceId?: string): () => void {
    return this.#surfaces.connect(id, surfaceId);
  }

  /** Calls `listener` with every session that is opened here, until the returned function is called. */
  onOpen(listener: OpenListener): () => void {
    this.#openListeners.add(listener);
    return () => this.#openListeners.delete(listener);
  }

  /** Calls `listener` with every session that is closed here, until the returned function is called. */
  onClose(listener: CloseListener): () => void {
    this.#closeListeners.add(listener);
    return () => this.#closeListeners.delete(listener);
  }

  /**
   * Suspends and closes sessions idle for `ttlMs` (the store's own limit by default); those that run a turn or have a
   * connected surface stay open.
   */
  async sweep(ttlMs?: number): Promise<void> {
    for (const { id, state } of await this.#stored.sweep(ttlMs)) {
      const held = this.#live.get(id);
      if (held && this.#isNeeded(held) && state !== 'expired') await this.#stored.touch(id);
      else await this.close(id, state === 'expired' ? 'expired' : 'idle');
    }
    // The store never sweeps a session without prompts, because it was never active.
    const idleSince = Date.now() - (ttlMs ?? IDLE_MS);
    const idle = [...this.#live.values()].filter(
      (held) => held.usedAt < idleSince && !this.#isNeeded(held),
    );
    for (const { session } of idle) await this.close(session.sessionId, 'idle');
  }

  #isNeeded({ session }: HeldSession): boolean {
    return session.isExecuting() || this.#surfaces.isConnected(session.sessionId);
  }

  /** After a restart: detaches surfaces that do not reconnect, and runs the prompts that were pending. */
  async restore(): Promise<void> {
    const ours = (await this.#stored.all()).filter(
      (stored) => stored.state !== 'expired' && cardOf(stored)?.node === this.#node,
    );
    for (const stored of ours) {
      for (const surfaceId of stored.attachedSurfaces) {
        if (surfaceId.startsWith(CONNECTION_PREFIX)) {
          await this.#stored.detach(stored.id, surfaceId);
        } else this.#surfaces.detachUnlessReconnected(stored.id, surfaceId);
      }
      const isPending = promptsOf(stored).some(({ status }) => status !== 'done');
      if (isPending) await this.#attempt(this.open(stored.id).then(() => undefined));
    }
  }

  /** Ends a session that is open here; does nothing for others. */
  async close(id: string, reason?: string): Promise<void> {
    const held = this.#live.get(id);
    if (!held) return;
    this.#live.delete(id);
    held.release();
    await held.session.shutdown({ reason });
    for (const listener of [...this.#closeListeners]) listener(held.session, reason ?? 'closed');
  }

  /** Deletes a session everywhere, including our own files about another agent's session. */
  async remove(id: string): Promise<void> {
    const stored = await this.#stored.get(id);
    const card = stored ? cardOf(stored) : undefined;
    await this.close(id, 'deleted');
    // Before the rest, so that the node that runs it releases it.
    await this.#engines.shared?.remove(id);
    if (card && !isOwnAgent(card.agent)) await this.#agents.erase(id, card);
    await this.#options.archive?.transcripts?.deleteSession(id);
    await this.#stored.expire(id);
  }

  /** Closes a session that another node deleted. */
  async #closeRemoved(id: string): Promise<void> {
    await this.close(id, 'deleted');
    await this.#stored.expire(id);
  }

  async closeAll(reason?: string): Promise<void> {
    await Promise.allSettled([...this.#opening.values()]);
    await Promise.all([...this.#live.keys()].map((id) => this.close(id, reason)));
    await this.#surfaces.flush();
    await this.#stored.idle();
    await this.#engines.shared?.stop();
  }

  /** Concurrent opens of one session share a single promise. */
  #once(id: string, open: () => Promise<LiveSession>): Promise<LiveSession> {
    const known = this.#opening.get(id);
    if (known) return known;
    const opening = open().finally(() => this.#opening.delete(id));
    this.#opening.set(id, opening);
    return opening;
  }

  async #create(request: NewSession & { readonly sessionId: string }): Promise<LiveSession> {
    const { agent = this.#options.agent ?? 'robota', profile, owner, ...options } = request;
    const { defaults } = this.#options;
    const { model, permissionMode, sessionName: name } = options;
    const cwd = resolve(defaults.cwd, options.cwd ?? '');
    const card: SessionCard = {
      agent: isOwnAgent(agent) ? 'robota' : agent,
      cwd,
      model,
      permissionMode,
      name,
      profile,
      node: this.#node,
    };
    const session = isOwnAgent(agent)
      ? await this.#engines.create(card, { ...options, cwd })
      : await this.#createAgent(request.sessionId, card);
    return this.#hold(session, { ...card, agent: session.agent }, owner);
  }

  /** With shared transcripts any node can drive the session, so it is created in the archive. */
  async #createAgent(sessionId: string, card: SessionCard): Promise<LiveSession> {
    const shared = this.#sharedAgents;
    if (!shared) return this.#agents.open({ ...this.#agentRequest(sessionId, card), begin: 'new' });
    const { type } = await this.#agents.check(card);
    return shared.create(sessionId, { ...card, agent: toAgentName(type) });
  }

  get #sharedAgents() {
    return this.#options.archive?.transcripts && this.#engines.shared;
  }

  async #openAgent(id: string, card: SessionCard): Promise<LiveSession> {
    const shared = this.#sharedAgents;
    if (!shared) {
      const session = await this.#agents.open({ ...this.#agentRequest(id, card), begin: 'open' });
      await ready(session);
      return session;
    }
    const known = await shared.open(id);
    if (known) return known;
    if (!(await shared.has(id))) throw notFound(id);
    // Its transcript predates the archive entry: this node creates the entry, so that every node can open it.
    const session = await shared.create(id, card);
    if (await shared.adopt(id)) return session;
    await session.shutdown();
    await shared.remove(id);
    throw Object.assign(new Error(`Session ${id} cannot be driven here now; try again later.`), {
      code: 'session_locked',
    });
  }

  async #resume(id: string, given?: Partial<AssembledSessionOptions>): Promise<LiveSession> {
    const stored = await this.#stored.get(id);
    if (stored?.state === 'expired') throw notFound(id);
    const card = (stored && cardOf(stored)) ?? (await this.#find(id));
    const joined = this.#engines.shared ? undefined : await this.#options.openElsewhere?.(id);
    if (joined) {
      const cwd = joined.getCwd() ?? this.#options.defaults.cwd;
      return this.#hold(joined, { node: this.#node, cwd, ...card, agent: joined.agent });
    }
    if (card && !isOwnAgent(card.agent)) {
      return this.#hold(await this.#openAgent(id, card), card);
    }
    const { session, cwd } = await this.#engines.resume(id, card, given);
    return this.#hold(session, { agent: 'robota', node: this.#node, ...card, cwd });
  }

  /** The card that another node stored in the archive, or one built from a shared transcript. */
  async #find(id: string): Promise<SessionCard | undefined> {
    const card = await this.#engines.shared?.card(id);
    return card ? { ...card, node: this.#node } : this.#agents.find(id, this.#node);
  }

  #agentRequest(sessionId: string, card: SessionCard) {
    const { agent, cwd, model, permissionMode, profile, name } = card;
    const queueDepth = this.#options.defaults.queueDepth ?? QUEUE_DEPTH;
    return { sessionId, agent, cwd, model, permissionMode, profile, name, queueDepth };
  }

  async #hold(
    session: LiveSession,
    card: SessionCard,
    owner: SessionOwner = { userId: this.#options.userId ?? 'local' },
  ): Promise<LiveSession> {
    const id = session.sessionId;
    await this.#stored.register(id, { ...card, node: this.#node }, owner);
    const ledger = await this.#stored.ledger(id);
    await ledger.interruptStarted(this.#options.defaults.sessionStore?.getLogPath?.(id));
    const attempt = (work: Promise<void>) => this.#attempt(work);
    const held = new HeldSession({ session, ledger, stored: this.#stored, attempt });
    this.#live.set(id, held);
    for (const listener of [...this.#openListeners]) listener(session);
    held.resubmitPending();
    return session;
  }

  async #attempt(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      (this.#options.onError ?? ((problem: Error) => process.emitWarning(problem)))(failure);
    }
  }
}
