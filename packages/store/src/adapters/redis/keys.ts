import type { ExactQuery } from '../../session-query.ts';
import type { SessionState, StoredSession } from '../../stored-session.ts';
import { keyText } from '../key-text.ts';
import { timesOf } from '../session-record.ts';

/** Milliseconds are padded to this many digits, so that text order is time order. */
const TIME_DIGITS = 17;
/** Above every epoch millisecond and small enough for exact arithmetic. */
const TIME_CEILING = 8_700_000_000_000_000;
/** A member is the inverted creation time, a colon and the session id. */
export const MEMBER_PREFIX_LENGTH = TIME_DIGITS + 1;

/** Free text is last in every key, so keys are unambiguous. */
export class RedisKeys {
  readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  session(sessionId: string): string {
    return `${this.sessionPrefix}${keyText(sessionId)}`;
  }

  get sessionPrefix(): string {
    return `${this.prefix}session:`;
  }

  lease(key: string): string {
    return `${this.prefix}lease:${keyText(key)}`;
  }

  get schema(): string {
    return `${this.prefix}schema`;
  }

  /** Suspended sessions, by time of suspension. */
  get suspended(): string {
    return `${this.prefix}suspended-since`;
  }

  byState(state: SessionState): string {
    return `${this.prefix}by-state:${state}`;
  }

  /** Every sorted set that contains the session, with its score. */
  places(session: StoredSession): Map<string, number> {
    const { activityKey, changedAt } = timesOf(session);
    const sets = [
      this.byState(session.state),
      this.#by('user', session.state, session.userId),
      ...(session.workspaceId === undefined
        ? []
        : [this.#by('workspace', session.state, session.workspaceId)]),
      ...session.attachedSurfaces.map((surface) => this.#by('surface', session.state, surface)),
    ];
    const places = new Map(sets.map((key) => [key, activityKey]));
    return session.state === 'suspended' ? places.set(this.suspended, changedAt) : places;
  }

  /** The sorted sets whose intersection matches the query, for one state. */
  setsFor(query: ExactQuery, state: SessionState): string[] {
    const sets: string[] = [];
    if (query.userId !== undefined) sets.push(this.#by('user', state, query.userId));
    if (query.surfaceId !== undefined) sets.push(this.#by('surface', state, query.surfaceId));
    if (query.workspaceId !== undefined) sets.push(this.#by('workspace', state, query.workspaceId));
    return sets.length === 0 ? [this.byState(state)] : sets;
  }

  member(session: StoredSession): string {
    const inverted = TIME_CEILING - Date.parse(session.createdAt);
    return `${String(inverted).padStart(TIME_DIGITS, '0')}:${keyText(session.id)}`;
  }

  #by(family: string, state: SessionState, text: string): string {
    return `${this.prefix}by-${family}:${state}:${keyText(text)}`;
  }
}
