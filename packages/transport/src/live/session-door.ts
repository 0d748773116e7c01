import type { HostedSession, InteractiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import { type CreateSessionRequest, sessionIdSchema } from '../protocol.ts';
import { closeChannel } from './session-channel.ts';
import { WireError } from './wire-error.ts';

export interface DoorOptions {
  /** Many sessions; without it the transport carries the one attached session. */
  readonly host?: SessionHost | undefined;
  /** Erases what is saved of a session; without it `DELETE` only ends it. */
  readonly deleteSession?: ((id: string) => Promise<void> | void) | undefined;
}

/** Which sessions a transport leads to: one that was attached, or all of a host. */
export class SessionDoor {
  readonly #options: DoorOptions;
  #attached: InteractiveSession | undefined;

  constructor(options: DoorOptions) {
    this.#options = options;
  }

  get host(): SessionHost | undefined {
    return this.#options.host;
  }

  attach(session: InteractiveSession): void {
    this.#attached = session;
  }

  /** There must be something to serve before anything is served. */
  assertReady(): void {
    if (!this.#attached && !this.host) throw new Error('No session attached. Call attach() first.');
  }

  /** The attached session, for paths that name none. */
  only(): InteractiveSession {
    if (this.#attached) return this.#attached;
    throw new WireError('session_not_found', 'Name a session: /api/sessions/<id>/ws');
  }

  /** The live session, or a saved one brought back. */
  async open(id: string): Promise<InteractiveSession> {
    assertId(id);
    if (this.#attached?.sessionId === id) return this.#attached;
    if (!this.host) throw notFound(id);
    return this.host.open(id);
  }

  /** How a list shows it, without opening it. */
  async describe(id: string): Promise<{ summary: HostedSession; live?: InteractiveSession }> {
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

  create(request: CreateSessionRequest): InteractiveSession {
    return this.#hostFor('A new session').create({
      ...(request.session_id !== undefined && { sessionId: request.session_id }),
      ...(request.name !== undefined && { sessionName: request.name }),
      ...(request.model !== undefined && { model: request.model }),
      ...(request.permission_mode !== undefined && { permissionMode: request.permission_mode }),
    });
  }

  /** A copy under a new id; the original stays as it is. */
  async fork(id: string): Promise<InteractiveSession> {
    const host = this.#hostFor('A fork');
    await this.describe(id);
    const session = host.create({ resumeSessionId: id, forkSession: true });
    try {
      await session.whenReady();
    } catch (error) {
      await host.close(session.sessionId);
      throw error;
    }
    return session;
  }

  /** Ends the session and erases what is saved of it. */
  async remove(id: string): Promise<void> {
    assertId(id);
    const host = this.#hostFor('Deleting');
    const { live } = await this.describe(id);
    await host.close(id, 'deleted');
    await this.#options.deleteSession?.(id);
    if (live) closeChannel(live, 'deleted');
  }

  #hostFor(deed: string): SessionHost {
    if (this.host) return this.host;
    throw new WireError(
      'single_session',
      `${deed} is not possible: this server carries one session.`,
    );
  }
}

function describeSession(session: InteractiveSession): HostedSession {
  const name = session.getName();
  return {
    id: session.sessionId,
    ...(name !== undefined && { name }),
    cwd: session.getCwd() ?? '',
    messageCount: session.getMessages().length,
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
