import { SessionRecordError } from '../errors/session-record-error.ts';
import { readInstant } from '../session-query.ts';
import { SESSION_STATES, type StoredSession } from '../stored-session.ts';

/** The times by which sessions are sorted and found. */
export interface SessionTimes {
  /** Epoch milliseconds, negated so that ascending order is newest first. */
  readonly activityKey: number;
  readonly creationKey: number;
  /** Epoch milliseconds of the last state change. */
  readonly changedAt: number;
}

export function timesOf(session: StoredSession): SessionTimes {
  const lastActivity = readInstant(session.lastActivityAt, 'lastActivityAt');
  return {
    activityKey: -lastActivity,
    creationKey: -readInstant(session.createdAt, 'createdAt'),
    changedAt:
      session.stateChangedAt === undefined
        ? lastActivity
        : readInstant(session.stateChangedAt, 'stateChangedAt'),
  };
}

/** The session as stored in a database. */
export function toRecord(session: StoredSession): string {
  return JSON.stringify(session);
}

export function fromRecord(text: unknown, sessionId?: string): StoredSession {
  const what = sessionId === undefined ? 'a session record' : `the record of session ${sessionId}`;
  const session = parse(text, what);
  if (isSession(session)) return session;
  throw new SessionRecordError(`${what}: it is not a session`);
}

function parse(text: unknown, what: string): unknown {
  try {
    return JSON.parse(String(text));
  } catch (error) {
    throw new SessionRecordError(`${what}: it is not JSON`, { cause: error });
  }
}

function isSession(value: unknown): value is StoredSession {
  const session = value as Partial<StoredSession> | null;
  return (
    typeof session?.id === 'string' &&
    typeof session.userId === 'string' &&
    SESSION_STATES.some((state) => state === session.state) &&
    Array.isArray(session.attachedSurfaces)
  );
}
