import {
  type AttachableSession,
  type HostedSession,
  type LiveSession,
  type NewSession,
  type SessionHost,
  type SessionView,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { type CreateSessionRequest, sessionIdSchema } from '../protocol.ts';
import { channelOf, closeChannel, type SessionChannel } from './session-channel.ts';
import { WireError } from './wire-error.ts';

export interface DoorOptions {
  /** Many sessions; without it the transport carries the one attached session. */
  readonly host?: SessionHost | undefined;
  /** Erases what is saved of a session; without it `DELETE` only ends it. */
  readonly deleteSession?: ((id: string) => Promise<void> | void) | undefined;
}

/** Where a client wants to go. */
export interface VisitRequest {
  readonly agent?: string | undefined;
  /** The client's own id of its surface. */
  readonly surface?: string | undefined;
}

/** A client at a session; `leave` when it has gone. */
export interface Visit {
  readonly channel: SessionChannel;
  leave(): void;
}

interface FollowedVisits {
  readonly view: SessionView;
  count: number;
}

/** Which sessions a transport leads to: one that was attached, or all of a host. */
export class SessionDoor {
  readonly #options: DoorOptions;
  readonly #followed = new Map<string, FollowedVisits>();
  #attached: LiveSession | undefined;

  constructor(options: DoorOptions) {
    this.#options = options;
    options.host?.onClose((session, reason) => closeChannel(session, reason));
  }

  get host(): SessionHost | undefined {
    return this.#options.host;
  }

  attach(session: AttachableSession): void {
    this.#attached = toLiveSession(session);
  }

  /** There must be something to serve before anything is served. */
  assertReady(): void {
    if (!this.#attached && !this.host) throw new Error('No session attached. Call attach() first.');
  }

  /** The attached session, for paths that name none. */
  only(): LiveSession {
    if (this.#attached) return this.#attached;
    throw new WireError('session_not_found', 'Name a session: /api/sessions/<id>/ws');
  }

  /** The live session, or a saved one brought back. */
  async open(id: string): Promise<LiveSession> {
    assertId(id);
    if (this.#attached?.sessionId === id) return this.#attached;
    if (!this.host) throw notFound(id);
    return this.host.open(id);
  }

  async channel(id: string): Promise<SessionChannel> {
    return channelOf(await this.open(id), this.host);
  }

  /** Goes to a session and stays; a session that another program runs is followed as long as somebody stays. */
  async visit(id: string, { agent, surface }: VisitRequest): Promise<Visit> {
    if (agent !== undefined && (await this.#isElsewhere(id, agent))) return this.#follow(id, agent);
    return this.visitLive(await this.open(id), surface);
  }

  visitLive(session: LiveSession, surface: string | undefined): Visit {
    const channel = channelOf(session, this.host);
    const isHosted = this.host?.get(session.sessionId) === session;
    const leave = isHosted ? this.host?.connectSurface(session.sessionId, surface) : undefined;
    return { channel, leave: () => leave?.() };
  }

  /** How a list shows it, without opening it. */
  async describe(id: string): Promise<{ summary: HostedSession; live?: LiveSession }> {
    assertId(id);
    const summary = (await this.list()).find((session) => session.id === id);
    if (!summary) throw notFound(id);
    const live = this.#attached?.sessionId === id ? this.#attached : this.host?.get(id);
    return live ? { summary, live } : { summary };
  }

  async list(): Promise<HostedSession[]> {
    const hosted = (await this.host?.list()) ?? [];
    const attached = this.#attached;
    if (!attached || hosted.some(({ id }) => id === attached.sessionId)) return hosted;
    return [describeSession(attached), ...hosted];
  }

  create(request: CreateSessionRequest, user?: string): Promise<LiveSession> {
    const { session_id: sessionId, name: sessionName, permission_mode: permissionMode } = request;
    const { agent, cwd, model, profile } = request;
    const owner = user === undefined ? undefined : { userId: user };
    const asked = { sessionId, sessionName, permissionMode, agent, cwd, model, profile, owner };
    const given = Object.entries(asked).filter(([, value]) => value !== undefined);
    return this.#hostFor('A new session').create(Object.fromEntries(given) as NewSession);
  }

  /** The session that a message from a surface belongs to. */
  async sessionFor(message: {
    readonly user_id: string;
    readonly workspace_id?: string | undefined;
    readonly surface_id: string;
  }): Promise<SessionChannel> {
    const host = this.#hostFor('Finding a session by its user');
    const session = await host.sessionFor({
      userId: message.user_id,
      workspaceId: message.workspace_id,
      surfaceId: message.surface_id,
    });
    return channelOf(session, host);
  }

  /** A copy under a new id; the original stays as it is. */
  async fork(id: string): Promise<LiveSession> {
    const host = this.#hostFor('A fork');
    await this.describe(id);
    return host.fork(id);
  }

  /** Ends the session and erases what is saved of it. */
  async remove(id: string): Promise<void> {
    assertId(id);
    const host = this.#hostFor('Deleting');
    await this.describe(id);
    await host.remove(id);
    await this.#options.deleteSession?.(id);
  }

  /** Whether the session is known here only by what its own program writes. */
  async #isElsewhere(id: string, agent: string): Promise<boolean> {
    assertId(id);
    const known = (await this.list()).find((session) => session.id === id);
    if (known && known.agent !== agent) return true;
    return known === undefined;
  }

  async #follow(id: string, agent: string): Promise<Visit> {
    const key = `${agent} ${id}`;
    const known = this.#followed.get(key);
    const visits = known ?? { view: this.#hostFor('Following').follow(agent, id), count: 0 };
    this.#followed.set(key, visits);
    visits.count += 1;
    const leave = () => this.#leave(key, visits);
    try {
      await visits.view.whenReady();
    } catch (error) {
      leave();
      throw error;
    }
    return { channel: channelOf(visits.view), leave };
  }

  #leave(key: string, visits: FollowedVisits): void {
    visits.count -= 1;
    if (visits.count > 0) return;
    this.#followed.delete(key);
    void visits.view.shutdown();
  }

  #hostFor(deed: string): SessionHost {
    if (this.host) return this.host;
    throw new WireError(
      'single_session',
      `${deed} is not possible: this server carries one session.`,
    );
  }
}

function describeSession(session: LiveSession): HostedSession {
  const name = session.getName();
  return {
    id: session.sessionId,
    agent: session.agent,
    ...(name !== undefined && { name }),
    cwd: session.getCwd() ?? '',
    messageCount: session.getMessageCount(),
    isLive: true,
    isExecuting: session.isExecuting(),
  };
}

function assertId(id: string): void {
  if (sessionIdSchema.safeParse(id).success) return;
  throw new WireError(
    'invalid_session_id',
    'A session id has letters, digits, ".", "_" and "-", at most 128.',
  );
}

function notFound(id: string): WireError {
  return new WireError('session_not_found', `Session not found: ${id}`);
}
