import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { SessionStore } from '@robota-sdk/agent-store';
import type { StreamEvent } from '@robota-sdk/agent-transcript';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import { InteractiveSession } from '../interactive/interactive-session.ts';
import type { AssembledSessionOptions, SubmitOptions } from '../interactive/options.ts';
import { toLiveSession } from '../live/engine-live-session.ts';
import type { LiveSession } from '../live/live-session.ts';
import type { SessionView } from '../live/session-view.ts';
import { AgentSessions, type AgentSessionsOptions, isOwnAgent } from './agent-sessions.ts';
import {
  describeLive,
  describeStored,
  type HostedSession,
  listSaved,
  withStored,
} from './hosted-session.ts';
import type { PromptLedger } from './prompt-ledger.ts';
import { type CardPrompt, cardOf, promptsOf, type SessionCard } from './session-card.ts';
import {
  CONNECTION_PREFIX,
  type InboundText,
  type SessionOwner,
  StoredSessions,
} from './stored-sessions.ts';
import { SurfaceRegister } from './surface-register.ts';

export interface SessionHostOptions extends AgentSessionsOptions {
  /** What every session of our own engine is made with. */
  readonly defaults: AssembledSessionOptions;
  /** Who talks where; in memory when left out. */
  readonly store?: SessionStore | undefined;
  /** Which agent a session gets that names none; our own when left out. */
  readonly agent?: string | undefined;
  /** What a profile's name stands for, for our own engine. */
  readonly resolveProfile?: ((name: string) => Partial<AssembledSessionOptions>) | undefined;
  /** This server's name, the same in each of its lives. */
  readonly node?: string | undefined;
  /** Whose sessions those are that nobody claims. */
  readonly userId?: string | undefined;
  /** Joins a session that another process holds, where there is a way to it. */
  readonly openElsewhere?: ((id: string) => Promise<LiveSession | undefined>) | undefined;
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

/** A prompt that was let in: from now on it is answered, whatever happens to this process. */
export interface AcceptedSubmit {
  /** True when its id was let in before; nothing was asked again. */
  readonly isRepeat: boolean;
  readonly outcome: Promise<SubmitOutcome>;
}

type CloseListener = (session: LiveSession, reason: string) => void;

interface HeldSession {
  readonly session: LiveSession;
  readonly ledger: PromptLedger;
  /** Outcomes of prompts by message id, of this life. */
  readonly outcomes: Map<string, Promise<SubmitOutcome>>;
  /** When it was opened or worked last. */
  usedAt: number;
}

/** Prompts that may wait in a hosted session before one is refused. */
const QUEUE_DEPTH = 1_000;
const DETACH_AFTER_MS = 30_000;
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
  readonly #live = new Map<string, HeldSession>();
  readonly #opening = new Map<string, Promise<LiveSession>>();
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
    this.#agents = new AgentSessions(options);
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

  /** The live session, or the saved one brought back; two calls at once get the same. */
  async open(id: string): Promise<LiveSession> {
    return this.#live.get(id)?.session ?? this.#once(id, () => this.#resume(id));
  }

  /** Undefined when it is not open here. */
  get(id: string): LiveSession | undefined {
    return this.#live.get(id)?.session;
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
    const messageId = options.messageId ?? randomUUID();
    const known = ledger.find(messageId);
    if (known) return { isRepeat: true, outcome: repeated(known, text, held) };
    await ledger.accept(messageId, text, options);
    const outcome = session.submit(text, undefined, undefined, { ...options, messageId });
    outcomes.set(messageId, outcome);
    void this.#settle(messageId, outcome, held);
    return { isRepeat: false, outcome };
  }

  /** Live sessions first, then saved ones, of every agent. */
  async list(): Promise<HostedSession[]> {
    const stored = new Map((await this.#stored.all()).map((session) => [session.id, session]));
    const listed = new Map<string, HostedSession>();
    for (const { session } of this.#live.values()) {
      listed.set(session.sessionId, describeLive(session));
    }
    const saved = await listSaved(this.#options.defaults.sessionStore);
    const carded = [...stored.values()].flatMap((session) => describeStored(session) ?? []);
    for (const one of [...saved, ...carded]) {
      const isKnown = listed.has(one.id) || stored.get(one.id)?.state === 'expired';
      if (!isKnown) listed.set(one.id, one);
    }
    return [...listed.values()].map((one) => withStored(one, stored.get(one.id)));
  }

  /** A copy under a new id; the original stays as it is. */
  async fork(id: string): Promise<LiveSession> {
    const original = await this.open(id);
    const copy = await original.fork();
    const cwd = copy.getCwd() ?? this.#options.defaults.cwd;
    return this.#hold(copy, { agent: copy.agent, cwd, node: this.#node });
  }

  /** Attaches a surface while it is connected; the returned function says that it went. */
  connectSurface(id: string, surfaceId?: string): () => void {
    return this.#surfaces.connect(id, surfaceId);
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

  /** After a restart: surfaces of the last life are gone, and prompts that waited in it are asked. */
  async restore(): Promise<void> {
    const ours = (await this.#stored.all()).filter(
      (stored) => stored.state !== 'expired' && cardOf(stored)?.node === this.#node,
    );
    for (const stored of ours) {
      for (const surfaceId of stored.attachedSurfaces) {
        if (surfaceId.startsWith(CONNECTION_PREFIX))
          await this.#stored.detach(stored.id, surfaceId);
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

  /** Ends a session for good, wherever it is known. */
  async remove(id: string): Promise<void> {
    await this.close(id, 'deleted');
    await this.#stored.expire(id);
  }

  async closeAll(reason?: string): Promise<void> {
    await Promise.allSettled([...this.#opening.values()]);
    await Promise.all([...this.#live.keys()].map((id) => this.close(id, reason)));
    await this.#surfaces.flush();
    await this.#stored.idle();
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
    const { model, permissionMode, sessionName: name, cwd = defaults.cwd } = options;
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
      ? this.#engine({ ...this.#profileOf(profile), ...defined(options) })
      : await this.#agents.open({ ...this.#agentRequest(request.sessionId, card), begin: 'new' });
    return this.#hold(session, { ...card, agent: session.agent }, owner);
  }

  async #resume(id: string): Promise<LiveSession> {
    const stored = await this.#stored.get(id);
    if (stored?.state === 'expired') throw notFound(id);
    const card = (stored && cardOf(stored)) ?? undefined;
    if (card && !isOwnAgent(card.agent)) {
      const request = this.#agentRequest(id, card);
      const session = await this.#agents.open({ ...request, begin: 'open' });
      await this.#ready(session);
      return this.#hold(session, card);
    }
    return this.#resumeEngine(id, card);
  }

  async #resumeEngine(id: string, card: SessionCard | undefined): Promise<LiveSession> {
    const { model, permissionMode, cwd = this.#options.defaults.cwd, profile } = card ?? {};
    const set = defined({ model, permissionMode, cwd });
    const options = { ...this.#profileOf(profile), ...set };
    const session = this.#engine({ ...options, resumeSessionId: id });
    const held = card ?? { agent: 'robota', cwd, node: this.#node };
    try {
      await this.#ready(session);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      const joined =
        code === 'session_locked' ? await this.#options.openElsewhere?.(id) : undefined;
      if (joined) return this.#hold(joined, held);
      // A session that was created and never asked anything has left nothing but its card.
      if (!card || code !== 'session_not_found') throw error;
      return this.#hold(this.#engine({ ...options, sessionId: id }), held);
    }
    return this.#hold(session, held);
  }

  async #ready(session: LiveSession): Promise<void> {
    try {
      await session.whenReady();
    } catch (error) {
      await session.shutdown();
      throw error;
    }
  }

  #engine(options: Partial<AssembledSessionOptions>): LiveSession {
    const given = { queueDepth: QUEUE_DEPTH, ...this.#options.defaults, ...options };
    return toLiveSession(new InteractiveSession(given));
  }

  #agentRequest(sessionId: string, card: SessionCard) {
    const { agent, cwd, model, permissionMode, profile, name } = card;
    const queueDepth = this.#options.defaults.queueDepth ?? QUEUE_DEPTH;
    return { sessionId, agent, cwd, model, permissionMode, profile, name, queueDepth };
  }

  #profileOf(profile: string | undefined): Partial<AssembledSessionOptions> {
    if (profile === undefined) return {};
    const { resolveProfile } = this.#options;
    if (resolveProfile) return resolveProfile(profile);
    const error = new Error(`There is no profile called "${profile}".`);
    throw Object.assign(error, { code: 'unknown_profile' });
  }

  async #hold(
    session: LiveSession,
    card: SessionCard,
    owner: SessionOwner = { userId: this.#options.userId ?? 'local' },
  ): Promise<LiveSession> {
    const id = session.sessionId;
    await this.#stored.register(id, { ...card, node: this.#node }, owner);
    const ledger = await this.#stored.ledger(id);
    await ledger.cutOff();
    const held: HeldSession = { session, ledger, outcomes: new Map(), usedAt: Date.now() };
    this.#live.set(id, held);
    this.#listen(held);
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
    { ledger, session }: HeldSession,
  ): Promise<void> {
    const ended = await outcome.catch(() => undefined);
    // What a session that is being let go has not asked yet waits for the next life.
    if (!ended || !this.#live.has(session.sessionId)) return;
    if (ended.status === 'refused') await this.#attempt(ledger.withdraw(messageId));
    else await this.#attempt(ledger.settled(messageId, ended));
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

/** A prompt of an earlier life is answered from what was written down of it. */
function repeated(
  known: CardPrompt,
  text: string,
  { session, outcomes }: HeldSession,
): Promise<SubmitOutcome> {
  if (known.text !== text) {
    const message = `The message id ${known.id} was used for another prompt; choose a fresh one.`;
    return Promise.reject(Object.assign(new Error(message), { code: 'message_id_reused' }));
  }
  const running = outcomes.get(known.id);
  if (running) return running;
  const { status = 'interrupted', response = '' } = known.ended ?? {};
  if (status === 'failed') {
    return Promise.resolve({ status, error: new Error(response), endedBy: 'error' });
  }
  const result = {
    response,
    history: [],
    toolSummaries: [],
    contextState: session.getContextState(),
    endedBy: status === 'completed' ? ('answer' as const) : ('abort' as const),
  };
  return Promise.resolve({ status: status === 'completed' ? status : 'interrupted', result });
}

/** Without fields that say nothing, so that they do not hide defaults. */
function defined<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Fields;
}

function notFound(id: string): Error {
  return Object.assign(new Error(`Session not found: ${id}`), { code: 'session_not_found' });
}
