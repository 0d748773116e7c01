import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import type { SessionStore } from '@robota-sdk/agent-store';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import { toAgentName } from '@robota-sdk/agent-transcript/blocks';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import type { AssembledSessionOptions, SubmitOptions } from '../interactive/options.ts';
import { type AcceptedSubmit, isAccepting } from '../live/accepting-session.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { SessionView } from '../live/session-view.ts';
import { AgentSessions, type AgentSessionsOptions, isOwnAgent } from './agent-sessions.ts';
import {
  defined,
  EngineSessions,
  type EngineSessionsOptions,
  notFound,
  QUEUE_DEPTH,
  ready,
} from './engine-sessions.ts';
import { describeLive, describeStored, type HostedSession, withStored } from './hosted-session.ts';
import type { PromptLedger } from './prompt-ledger.ts';
import { repeated } from './repeated-prompt.ts';
import { type CardPrompt, cardOf, promptsOf, type SessionCard } from './session-card.ts';
import {
  CONNECTION_PREFIX,
  type InboundText,
  type SessionOwner,
  StoredSessions,
} from './stored-sessions.ts';
import { SurfaceRegister } from './surface-register.ts';

/** What a host of sessions is made of. */
export interface SessionHostOptions extends AgentSessionsOptions, EngineSessionsOptions {
  /** Joins a session that another process holds, of whichever agent, where there is a way to it. */
  readonly openElsewhere?: ((id: string) => Promise<LiveSession | undefined>) | undefined;
  /** Who talks where; in memory when left out. */
  readonly store?: SessionStore | undefined;
  /** Which agent a session gets that names none; our own when left out. */
  readonly agent?: string | undefined;
  /** This server's name, the same in each of its lives. */
  readonly node?: string | undefined;
  /** Whose sessions those are that nobody claims. */
  readonly userId?: string | undefined;
  readonly detachAfterMs?: number | undefined;
  /** Told what goes wrong beside a turn; a warning of the process when left out. */
  readonly onError?: ((error: Error) => void) | undefined;
}

/** What a new session may set for itself. */
export interface NewSession extends Partial<AssembledSessionOptions> {
  readonly agent?: string | undefined;
  readonly profile?: string | undefined;
  readonly owner?: SessionOwner | undefined;
}

type OpenListener = (session: LiveSession) => void;
type CloseListener = (session: LiveSession, reason: string) => void;

interface HeldSession {
  readonly session: LiveSession;
  readonly ledger: PromptLedger;
  /** Outcomes of the latest prompts by message id, of this life. */
  readonly outcomes: Map<string, Promise<SubmitOutcome>>;
  /** When it was opened or worked last. */
  usedAt: number;
}

const DETACH_AFTER_MS = 30_000;
const KEPT_OUTCOMES = 8;
const IDLE_MS = 3_600_000;

/**
 * Holds live sessions of every agent for a server, each with its stored session. Idle ones are let go and come
 * back on the next word; a session that nobody has asked anything costs next to nothing.
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
  readonly #listeners = new Set<CloseListener>();

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
      agentEngine: (claim, from) => {
        if (!archive) throw new Error('Only sessions of an archive are claimed');
        const queueDepth = options.defaults.queueDepth ?? QUEUE_DEPTH;
        return this.#agents.claimed(claim, { archive: archive.archive, from, queueDepth });
      },
    });
  }

  /** Takes part in running the sessions of the archive, where there is one. */
  async start(): Promise<void> {
    await this.#engines.shared?.start();
  }

  /** False while sessions of the archive cannot be run here, because its database cannot be reached. */
  get isReady(): boolean {
    return this.#engines.shared?.isReady ?? true;
  }

  /** Runs a session of the archive on this node, also when another one runs it. */
  async takeOver(id: string): Promise<boolean> {
    return (await this.#engines.shared?.takeOver(id)) ?? false;
  }

  /** Rejects with `session_exists` for an id that is taken, `unknown_agent` for a name nobody has. */
  create(request: NewSession = {}): Promise<LiveSession> {
    const sessionId = request.sessionId ?? randomUUID();
    if (this.#live.has(sessionId) || this.#opening.has(sessionId)) {
      const error = new Error(`Session ${sessionId} is open already.`);
      return Promise.reject(Object.assign(error, { code: 'session_exists' }));
    }
    return this.#once(sessionId, () => this.#create({ ...request, sessionId }));
  }

  /**
   * The live session, or the saved one brought back, of our own engine with these options; two calls at once get
   * the same.
   */
  async open(id: string, options?: Partial<AssembledSessionOptions>): Promise<LiveSession> {
    return this.#live.get(id)?.session ?? this.#once(id, () => this.#resume(id, options));
  }

  /** Undefined when it is not open here. */
  get(id: string): LiveSession | undefined {
    return this.#live.get(id)?.session;
  }

  /** Every session that is open here. */
  live(): LiveSession[] {
    return [...this.#live.values()].map(({ session }) => session);
  }

  /** One session as a list shows it; undefined when neither this process nor the store knows it. */
  async describe(id: string): Promise<HostedSession | undefined> {
    const stored = (await this.#stored.get(id)) ?? undefined;
    const held = this.#live.get(id);
    if (held) return withStored(describeLive(held.session), stored);
    if (!stored || stored.state === 'expired') return undefined;
    const listed = describeStored(stored);
    return listed && withStored(listed, stored);
  }

  /** A session that another process writes, to look at. */
  follow(agent: string, id: string): SessionView {
    return this.#agents.follow(agent, id);
  }

  /** The session a message from a surface belongs to, by who sends it and from where. */
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
   * Asks a session that is open here. When it resolves, the prompt is written down: it is asked once, also when
   * its sender says it again or this process ends.
   */
  async submit(id: string, text: string, options: SubmitOptions = {}): Promise<AcceptedSubmit> {
    const held = this.#live.get(id);
    if (!held) throw notFound(id);
    const { session, ledger, outcomes } = held;
    if (isAccepting(session)) return session.accept(text, options);
    const messageId = options.messageId ?? randomUUID();
    const known = ledger.find(messageId);
    if (known) return { isRepeat: true, outcome: repeated(known, text, held) };
    await ledger.accept(messageId, text, options);
    const outcome = session.submit(text, undefined, undefined, { ...options, messageId });
    outcomes.set(messageId, outcome);
    void this.#settle(messageId, outcome, held);
    return { isRepeat: false, outcome };
  }

  /** Live sessions first, then saved ones, of every agent; those our own engine saved for a directory, if one is given. */
  async list(cwd?: string): Promise<HostedSession[]> {
    const stored = new Map((await this.#stored.all()).map((session) => [session.id, session]));
    const listed = new Map<string, HostedSession>();
    for (const { session } of this.#live.values()) {
      listed.set(session.sessionId, describeLive(session));
    }
    const saved = await this.#engines.list(cwd);
    const carded = [...stored.values()].flatMap((session) => describeStored(session) ?? []);
    for (const one of [...saved, ...carded]) {
      const isKnown = listed.has(one.id) || stored.get(one.id)?.state === 'expired';
      if (!isKnown) listed.set(one.id, one);
    }
    return [...listed.values()].map((one) => withStored(one, stored.get(one.id)));
  }

  /** A copy under a new id; the original stays as it is. */
  async fork(id: string, at?: string): Promise<LiveSession> {
    const original = await this.open(id);
    const copy = await original.fork({ at });
    const cwd = copy.getCwd() ?? this.#options.defaults.cwd;
    return this.#hold(copy, { agent: copy.agent, cwd, node: this.#node });
  }

  /** Attaches a surface while it is connected; the returned function says that it went. */
  connectSurface(id: string, surfaceId?: string): () => void {
    return this.#surfaces.connect(id, surfaceId);
  }

  /** Calls `listener` with every session that is opened here, until the returned function is called. */
  onOpen(listener: OpenListener): () => void {
    this.#openListeners.add(listener);
    return () => this.#openListeners.delete(listener);
  }

  /** Calls `listener` with every session that is closed or let go, until the returned function is called. */
  onClose(listener: CloseListener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Suspends what has been silent for `ttlMs` (the store's own time when left out) and lets go of it; what works
   * or has somebody connected stays.
   */
  async sweep(ttlMs?: number): Promise<void> {
    for (const { id, state } of await this.#stored.sweep(ttlMs)) {
      const held = this.#live.get(id);
      if (held && this.#isNeeded(held) && state !== 'expired') await this.#stored.touch(id);
      else await this.close(id, state === 'expired' ? 'expired' : 'idle');
    }
    // Sessions that nobody has asked anything are never active, and so never swept by the store.
    const silentSince = Date.now() - (ttlMs ?? IDLE_MS);
    const silent = [...this.#live.values()].filter(
      (held) => held.usedAt < silentSince && !this.#isNeeded(held),
    );
    for (const { session } of silent) await this.close(session.sessionId, 'idle');
  }

  #isNeeded({ session }: HeldSession): boolean {
    return session.isExecuting() || this.#surfaces.isConnected(session.sessionId);
  }

  /** After a restart: surfaces of the last life are gone unless they come back, and prompts that waited are asked. */
  async restore(): Promise<void> {
    const ours = (await this.#stored.all()).filter(
      (stored) => stored.state !== 'expired' && cardOf(stored)?.node === this.#node,
    );
    for (const stored of ours) {
      for (const surfaceId of stored.attachedSurfaces) {
        if (surfaceId.startsWith(CONNECTION_PREFIX)) {
          await this.#stored.detach(stored.id, surfaceId);
        } else this.#surfaces.expectBack(stored.id, surfaceId);
      }
      if (promptsOf(stored).some(({ status }) => status !== 'done')) await this.#reopen(stored.id);
    }
  }

  /** Ends a session that is open here; does nothing for others. */
  async close(id: string, reason?: string): Promise<void> {
    const held = this.#live.get(id);
    if (!held) return;
    this.#live.delete(id);
    await held.session.shutdown({ reason });
    for (const listener of [...this.#listeners]) listener(held.session, reason ?? 'closed');
  }

  /** Ends a session for good, wherever it is known, and erases what was written down here of another agent's. */
  async remove(id: string): Promise<void> {
    const stored = await this.#stored.get(id);
    const card = stored ? cardOf(stored) : undefined;
    await this.close(id, 'deleted');
    // First of all, so that whichever node drives it lets go.
    await this.#engines.shared?.remove(id);
    if (card && !isOwnAgent(card.agent)) await this.#agents.erase(id, card);
    await this.#options.archive?.transcripts?.deleteSession(id);
    await this.#stored.expire(id);
  }

  async closeAll(reason?: string): Promise<void> {
    await Promise.allSettled([...this.#opening.values()]);
    await Promise.all([...this.#live.keys()].map((id) => this.close(id, reason)));
    await this.#surfaces.flush();
    await this.#stored.idle();
    await this.#engines.shared?.stop();
  }

  /** Two who want the same session at once get the same. */
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

  /** Where nodes share transcripts, any of them can drive it. */
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
    // Its transcript is there, of a time when no other node could drive it: this one shows it to all.
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

  /** What other nodes have written down of a session. */
  async #find(id: string): Promise<SessionCard | undefined> {
    const shared = await this.#options.archive?.archive.find(id);
    const { agent, cwd } = (shared?.card ?? {}) as Partial<SessionCard>;
    if (agent !== undefined && cwd !== undefined) {
      return { ...(shared?.card as Partial<SessionCard>), agent, cwd, node: this.#node };
    }
    return this.#agents.find(id, this.#node);
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
    await ledger.cutOff(this.#options.defaults.sessionStore?.getLogPath?.(id));
    const held: HeldSession = { session, ledger, outcomes: new Map(), usedAt: Date.now() };
    this.#live.set(id, held);
    this.#listen(held);
    for (const listener of [...this.#openListeners]) listener(session);
    for (const waiting of ledger.waiting()) this.#askAgain(waiting, held);
    return session;
  }

  #listen(held: HeldSession): void {
    const { session, ledger } = held;
    const id = session.sessionId;
    // Somebody is always there to answer: with nobody connected a question waits.
    session.on('question', () => undefined);
    let asked: string | undefined;
    session.on('turn_start', ({ messageId }) => {
      void this.#stored.touch(id);
      asked = messageId;
    });
    // Only what stands in the conversation was asked: before that, the next life asks it.
    session.on('stream_event', (event) => {
      if (asked === undefined || !isPrompt(event)) return;
      void this.#attempt(ledger.started(asked));
      asked = undefined;
    });
    session.on('turn_end', () => {
      held.usedAt = Date.now();
      void this.#stored.touch(id);
      const { nativeId } = session;
      if (nativeId !== undefined) void this.#attempt(this.#stored.updateCard(id, { nativeId }));
    });
    session.on('state', ({ model, permissionMode, name }) => {
      void this.#attempt(this.#stored.updateCard(id, defined({ model, permissionMode, name })));
    });
  }

  #askAgain({ id, text, user, parts }: CardPrompt, held: HeldSession): void {
    const options = { messageId: id, user, parts };
    const outcome = held.session.submit(text, undefined, undefined, options);
    held.outcomes.set(id, outcome);
    void this.#settle(id, outcome, held);
  }

  async #settle(
    messageId: string,
    outcome: Promise<SubmitOutcome>,
    { ledger, session, outcomes }: HeldSession,
  ): Promise<void> {
    const ended = await outcome.catch(() => undefined);
    // What a session that is being let go has not asked yet waits for the next life.
    if (!ended || !this.#live.has(session.sessionId)) return;
    if (ended.status === 'refused') await this.#attempt(ledger.withdraw(messageId));
    else await this.#attempt(ledger.settled(messageId, ended));
    // Each outcome holds the conversation as it was then: the ledger answers for the older ones.
    for (const id of outcomes.keys()) {
      if (outcomes.size <= KEPT_OUTCOMES) break;
      if ((ledger.find(id)?.status ?? 'done') === 'done') outcomes.delete(id);
    }
  }

  async #attempt(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error));
      (this.#options.onError ?? ((problem: Error) => process.emitWarning(problem)))(failure);
    }
  }

  async #reopen(id: string): Promise<void> {
    await this.#attempt(this.open(id).then(() => undefined));
  }
}

function isPrompt(event: StreamEvent): boolean {
  const isWhole = event.type === 'block_complete' && event.conversationId === 'main';
  return isWhole && event.block.type === 'user_message';
}
