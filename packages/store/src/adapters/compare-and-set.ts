import type { SessionChange } from '../atomic-session-store-adapter.ts';
import { SessionConflictError } from '../errors/session-conflict-error.ts';
import { SessionNotFoundError } from '../errors/session-not-found-error.ts';
import { SessionStoreUnavailableError } from '../errors/session-store-unavailable-error.ts';
import { KeyedMutex } from '../keyed-mutex.ts';
import type { StoredSession } from '../stored-session.ts';
import { LinkLostError, type RetryPolicy } from './retry.ts';

export interface Revision {
  readonly session: StoredSession;
  /** Unique to the call that wrote it, so a writer that lost its answer recognises its own work. */
  readonly revision: string;
}

/** Port: sessions with a revision each. Every method is one request, sent once; no answer throws LinkLostError. */
export interface RevisionedSessions {
  read(sessionId: string): Promise<Revision | null>;
  /** False when the id is taken; then nothing is written. */
  insert(next: Revision): Promise<boolean>;
  /** False when the stored revision is no longer `current`'s; then nothing is written. */
  replace(current: Revision, next: Revision): Promise<boolean>;
}

/**
 * Changes sessions by compare-and-set, and goes on after a lost link only where the stored revision shows what became of
 * the write: ours (done), the old one (not done: send again) or another (nobody can tell: outcome `unknown`).
 */
export class CompareAndSet {
  readonly #sessions: RevisionedSessions;
  readonly #retry: RetryPolicy;
  /** Callers in this process queue here instead of refusing each other. */
  readonly #turns = new KeyedMutex();

  constructor(sessions: RevisionedSessions, retry: RetryPolicy) {
    this.#sessions = sessions;
    this.#retry = retry;
  }

  read(sessionId: string): Promise<Revision | null> {
    return this.#retry.run(`read session ${sessionId}`, () => this.#sessions.read(sessionId));
  }

  async insert(session: StoredSession): Promise<void> {
    const ours = { session, revision: crypto.randomUUID() };
    let isUnanswered = false;
    const isNew = await this.#retry.run(`create session ${session.id}`, async () => {
      try {
        if (await this.#sessions.insert(ours)) return true;
      } catch (error) {
        isUnanswered ||= mayHaveWritten(error);
        throw error;
      }
      return isUnanswered && this.#wasInserted(ours);
    });
    if (!isNew) throw new SessionConflictError(session.id);
  }

  mutate(sessionId: string, change: SessionChange): Promise<StoredSession> {
    return this.#turns.run(sessionId, () => this.#mutateInTurn(sessionId, change));
  }

  #mutateInTurn(sessionId: string, change: SessionChange): Promise<StoredSession> {
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

/** One change on its way into the database, over as many attempts as it takes. */
class PendingChange {
  readonly #sessions: RevisionedSessions;
  readonly #sessionId: string;
  readonly #change: SessionChange;
  readonly #ours = crypto.randomUUID();
  /** What our write was to replace when its answer got lost. */
  #unanswered: Revision | undefined;

  constructor(sessions: RevisionedSessions, sessionId: string, change: SessionChange) {
    this.#sessions = sessions;
    this.#sessionId = sessionId;
    this.#change = change;
  }

  /** The session as it is now, or `undefined` when another writer was faster. */
  async attempt(): Promise<StoredSession | undefined> {
    const current = await this.#sessions.read(this.#sessionId);
    if (current?.revision === this.#ours) return current.session;
    this.#refuseUnknownOutcome(current);
    if (current === null) throw new SessionNotFoundError(this.#sessionId);
    const session = this.#change(current.session);
    if (session === undefined) return current.session;
    return (await this.#replace(current, session)) ? session : undefined;
  }

  async #replace(current: Revision, session: StoredSession): Promise<boolean> {
    try {
      return await this.#sessions.replace(current, { session, revision: this.#ours });
    } catch (error) {
      if (mayHaveWritten(error)) this.#unanswered = current;
      throw error;
    }
  }

  #refuseUnknownOutcome(current: Revision | null): void {
    if (this.#unanswered === undefined) return;
    if (current?.revision === this.#unanswered.revision) return;
    throw new SessionStoreUnavailableError(`change session ${this.#sessionId}`, {
      outcome: 'unknown',
    });
  }
}
