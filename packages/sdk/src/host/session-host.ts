import type { SessionRecordStore, SessionSummary } from '@robota-sdk/agent-session';
import { InteractiveSession } from '../interactive/interactive-session.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';

export interface SessionHostOptions {
  /** What every session of this host is made with. */
  readonly defaults: AssembledSessionOptions;
}

/** A session as a list shows it. */
export interface HostedSession {
  readonly id: string;
  readonly name?: string;
  readonly cwd: string;
  readonly updatedAt?: string;
  readonly messageCount: number;
  readonly preview?: string;
  /** Open in this process. */
  readonly isLive: boolean;
  readonly isExecuting: boolean;
}

/** Holds many live sessions for a server. A session that nobody has asked anything costs next to nothing. */
export class SessionHost {
  readonly #defaults: AssembledSessionOptions;
  readonly #live = new Map<string, InteractiveSession>();
  readonly #opening = new Map<string, Promise<InteractiveSession>>();

  constructor({ defaults }: SessionHostOptions) {
    this.#defaults = defaults;
  }

  create(options: Partial<AssembledSessionOptions> = {}): InteractiveSession {
    const session = new InteractiveSession({ ...this.#defaults, ...options });
    if (this.#live.has(session.sessionId)) {
      throw Object.assign(new Error(`Session ${session.sessionId} is open already.`), {
        code: 'session_exists',
      });
    }
    this.#live.set(session.sessionId, session);
    return session;
  }

  /** The live session, or the saved one brought back; two calls at once get the same. */
  async open(id: string): Promise<InteractiveSession> {
    const live = this.#live.get(id);
    if (live) return live;
    const opening = this.#opening.get(id) ?? this.#resume(id);
    this.#opening.set(id, opening);
    try {
      return await opening;
    } finally {
      this.#opening.delete(id);
    }
  }

  /** Undefined when it is not open here. */
  get(id: string): InteractiveSession | undefined {
    return this.#live.get(id);
  }

  /** Live sessions first, then saved ones. */
  async list(): Promise<HostedSession[]> {
    const live = [...this.#live.values()].map((session) => this.#describe(session));
    const saved = await listSaved(this.#defaults.sessionStore);
    return [
      ...live,
      ...saved
        .filter(({ id }) => !this.#live.has(id))
        .map((summary) => ({ ...summary, isLive: false, isExecuting: false })),
    ];
  }

  /** Ends a session that is open here; does nothing for others. */
  async close(id: string, reason?: string): Promise<void> {
    const session = this.#live.get(id);
    if (!session) return;
    this.#live.delete(id);
    await session.shutdown(reason === undefined ? {} : { reason });
  }

  async closeAll(reason?: string): Promise<void> {
    await Promise.all([...this.#live.keys()].map((id) => this.close(id, reason)));
  }

  async #resume(id: string): Promise<InteractiveSession> {
    const session = new InteractiveSession({ ...this.#defaults, resumeSessionId: id });
    await session.whenReady();
    this.#live.set(id, session);
    return session;
  }

  #describe(session: InteractiveSession): HostedSession {
    const name = session.getName();
    return {
      id: session.sessionId,
      ...(name !== undefined && { name }),
      cwd: session.getCwd() ?? this.#defaults.cwd,
      messageCount: session.getMessages().length,
      isLive: true,
      isExecuting: session.isExecuting(),
    };
  }
}

async function listSaved(
  store: SessionRecordStore | undefined,
): Promise<readonly SessionSummary[]> {
  if (!store) return [];
  const quick = store as { listSummaries?: () => SessionSummary[] };
  if (quick.listSummaries) return quick.listSummaries();
  const records = await store.list();
  return records.map(({ id, name, cwd, createdAt, updatedAt, messages }) => ({
    id,
    ...(name !== undefined && { name }),
    cwd,
    createdAt,
    updatedAt,
    messageCount: messages.length,
    preview: '',
  }));
}
