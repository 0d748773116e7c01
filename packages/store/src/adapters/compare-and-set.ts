import type { SessionChange } from '../atomic-session-store-adapter.ts';
import { SessionConflictError } from '../errors/session-conflict-error.ts';
import { SessionNotFoundError } from '../errors/session-not-found-error.ts';
import { SessionStoreUnavailableError } from '../errors/session-store-unavailable-error.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { StoredSession } from '../stored-session.ts';
import { LinkLostError, type ReconnectPolicy } from './retry.ts';

export interface Revision {
  readonly session: StoredSession;
  /** Unique to the call that wrote it, so a writer that lost the response recognises its own write. */
  readonly revision: string;
}

/** Port: sessions with revisions. Every method sends one request once; a missing response throws LinkLostError. */
export interface RevisionedSessions {
  read(sessionId: string): Promise<Revision | null>;
  /** False if the id exists; then nothing is written. */
  insert(next: Revision): Promise<boolean>;
  /** False if the stored revision is not `current`'s; then nothing is written. */
  replace(current: Revision, next: Revision): Promise<boolean>;
}

/**
 * Changes sessions by compare-and-set. After a lost connection, the stored revision shows what happened to
 * the write: ours (done), the old one (not done, so it is sent again) or another (outcome `unknown`).
 */
export class CompareAndSet {
  readonly #sessions: RevisionedSessions;
  readonly #retry: ReconnectPolicy;
  /** Serialises callers in this process, which would otherwise conflict. */
  readonly #mutex = new KeyedMutex();

  constructor(sessions: RevisionedSessions, retry: ReconnectPolicy) {
    this.#sessions = sessions;
    this.#retry = retry;
  }

  read(sessionId: string): Promise<Revision | null> {
    return this.#retry.run(`read session ${sessionId}`, () => this.#sessions.read(sessionId));
  }

  async insert(session: StoredSession): Promise<void> {
    const ours = { session, revision: crypto.randomUUID() };
    let isResponseLost = false;
    const isNew = await this.#retry.run(`create session ${session.id}`, async () => {
      try {
        if (await this.#sessions.insert(ours)) return true;
      } catch (error) {
        isResponseLost ||= mayHaveWritten(error);
        throw error;
      }
      return isResponseLost && this.#wasInserted(ours);
    });
    if (!isNew) throw new SessionConflictError(session.id);
  }

  mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    return this.#mutex.run(sessionId, () => this.#mutateSerialized(sessionId, change));
  }

  #mutateSerialized(sessionId: string, change: SessionChange): Promise<StoredSession> {
    const pending = new PendingChange(this.#sessions, sessionId, change);
    return this.#retry.run(`change session ${sessionId}`, async () => {
      let settled: StoredSession | undefined;
      do settled = await pending.attempt();
      while (settled === undefined);
      return settled;
    });
  }

  async #wasInserted(ours: Revision): Promise<boolean> {
    const stored = await this.#sessions.read(ours.session.id);
    if (stored?.revision === ours.revision) return true;
    throw new SessionStoreUnavailableError(`create session ${ours.session.id}`, {
      outcome: 'unknown',
    });
  }
}

function mayHaveWritten(error: unknown): boolean {
  return error instanceof LinkLostError && error.mayHaveWritten;
}

/** One change, over as many attempts as it takes. */
class PendingChange {
  readonly #sessions: RevisionedSessions;
  readonly #sessionId: string;
  readonly #change: SessionChange;
  readonly #ours = crypto.randomUUID();
  /** The revision our write was to replace when its response was lost. */
  #unconfirmed: Revision | undefined;

  constructor(sessions: RevisionedSessions, sessionId: string, change: SessionChange) {
    this.#sessions = sessions;
    this.#sessionId = sessionId;
    this.#change = change;
  }

  /** The current session, or `undefined` if another writer was faster. */
  async attempt(): Promise<StoredSession | undefined> {
    const current = await this.#sessions.read(this.#sessionId);
    if (current?.revision === this.#ours) return current.session;
    this.#assertKnownOutcome(current);
    if (current === null) throw new SessionNotFoundError(this.#sessionId);
    const session = this.#change(current.session);
    if (session === undefined) return current.session;
    return (await this.#replace(current, session)) ? session : undefined;
  }

  async #replace(current: Revision, session: StoredSession): Promise<boolean> {
    try {
      return await this.#sessions.replace(current, { session, revision: this.#ours });
    } catch (error) {
      if (mayHaveWritten(error)) this.#unconfirmed = current;
      throw error;
    }
  }

  #assertKnownOutcome(current: Revision | null): void {
    if (this.#unconfirmed === undefined) return;
    if (current?.revision === this.#unconfirmed.revision) return;
    throw new SessionStoreUnavailableError(`change session ${this.#sessionId}`, {
      outcome: 'unknown',
    });
  }
}
