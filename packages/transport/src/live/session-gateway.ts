import {
  type AttachableSession,
  type ForkStart,
  type HostedSession,
  type LiveSession,
  type NewSession,
  type SessionHost,
  toLiveSession,
} from '@robota-sdk/agent-sdk';
import { type CreateSessionRequest, sessionIdSchema } from '../protocol.ts';
import { FollowedViews } from './followed-views.ts';
import { channelOf, closeChannel, type SessionChannel } from './session-channel.ts';
import { sessionNotFound, WireError } from './wire-error.ts';

/** Which sessions a transport serves. */
export interface GatewayOptions {
  /** Serves many sessions; without it, only the attached session is served. */
  readonly host?: SessionHost | undefined;
  /** Deletes a session's saved data; without it, `DELETE` only ends the session. */
  readonly deleteSession?: ((id: string) => Promise<void> | void) | undefined;
}

/** Identifies the client and its agent. */
export interface VisitRequest {
  readonly agent?: string | undefined;
  /** The client's own surface id. */
  readonly surface?: string | undefined;
}

/** A client of a session; call `leave` when it disconnects. */
export interface Visit {
  readonly channel: SessionChannel;
  leave(): void;
}

/** Which sessions a transport serves: one that was attached, or all of a host. */
export class SessionGateway {
  readonly #options: GatewayOptions;
  readonly #followed = new FollowedViews();
  #attached: LiveSession | undefined;

  constructor(options: GatewayOptions) {
    this.#options = options;
    options.host?.onClose((session, reason) => closeChannel(session, reason));
  }

  get host(): SessionHost | undefined {
    return this.#options.host;
  }

  attach(session: AttachableSession): void {
    this.#attached = toLiveSession(session);
  }

  /** Every session that is open here. */
  live(): LiveSession[] {
    const hosted = this.host?.live() ?? [];
    return this.#attached ? [this.#attached, ...hosted] : hosted;
  }

  /** Throws when there is nothing to serve. */
  assertReady(): void {
    if (!this.#attached && !this.host) throw new Error('No session attached. Call attach() first.');
  }

  /** The attached session, for requests that name none. */
  only(): LiveSession {
    if (this.#attached) return this.#attached;
    throw new WireError('session_not_found', 'Name a session: /api/sessions/<id>/ws');
  }

  /** The live session, or a saved one resumed. */
  async open(id: string): Promise<LiveSession> {
    assertId(id);
    if (this.#attached?.sessionId === id) return this.#attached;
    if (!this.host) throw sessionNotFound(id);
    return this.host.open(id);
  }

  async channel(id: string): Promise<SessionChannel> {
    return channelOf(await this.open(id), this.host);
  }

  /** Connects a client to a session; one that another program runs is followed while it has clients. */
  async visit(id: string, { agent, surface }: VisitRequest): Promise<Visit> {
    assertId(id);
    const held = this.live().find(({ sessionId, nativeId }) => sessionId === id || nativeId === id);
    if (held && (agent === undefined || held.agent === agent)) return this.visitLive(held, surface);
    if (agent !== undefined && (await this.#isElsewhere(id, agent))) {
      return this.#follow(id, agent);
    }
    try {
      return this.visitLive(await this.open(id), surface);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      // Another process writes it and cannot be joined, but its log can be followed.
      if (code === 'session_locked' && this.host) return this.#follow(id, 'robota');
      throw error;
    }
  }

  async #follow(id: string, agent: string): Promise<Visit> {
    const { view, leave } = await this.#followed.visit(this.#hostFor('Following'), agent, id);
    return { channel: channelOf(view), leave };
  }

  /** Stops following sessions of other programs. */
  close(): Promise<void> {
    return this.#followed.close();
  }

  visitLive(session: LiveSession, surface: string | undefined): Visit {
    const channel = channelOf(session, this.host);
    const isHosted = this.host?.get(session.sessionId) === session;
    const leave = isHosted ? this.host?.connectSurface(session.sessionId, surface) : undefined;
    return { channel, leave: () => leave?.() };
  }

  /** The host's sessions and the attached one. */
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

  /** A Robota session that continues another session's conversation. */
  createFrom(
    start: ForkStart,
    { cwd, user, name }: { cwd: string; user: string | undefined; name: string | undefined },
  ): Promise<LiveSession> {
    const owner = user === undefined ? undefined : { userId: user };
    const named = name === undefined ? {} : { sessionName: name };
    return this.#hostFor('A new session').create({
      agent: 'robota',
      ...start,
      ...named,
      cwd,
      owner,
    });
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
  async fork(id: string, at?: string): Promise<LiveSession> {
    assertId(id);
    return this.#hostFor('A fork').fork(id, at);
  }

  /** Ends the session and deletes its saved data. */
  async remove(id: string): Promise<void> {
    assertId(id);
    await this.#hostFor('Deleting').remove(id);
    await this.#options.deleteSession?.(id);
  }

  /** Whether the session is known only through another program's transcript. */
  async #isElsewhere(id: string, agent: string): Promise<boolean> {
    const known = await this.host?.describe(id);
    if (known) return known.agent !== agent;
    return agent !== 'robota';
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

export function assertId(id: string): void {
  if (sessionIdSchema.safeParse(id).success) return;
  throw new WireError(
    'invalid_session_id',
    'A session id has letters, digits, ".", "_" and "-", at most 128.',
  );
}
