import { SessionInputError } from './errors/session-input-error.ts';
import { SESSION_STATES, type SessionState } from './stored-session.ts';

/** Filters combine; each compares exactly, so an empty string matches only an empty string. */
export interface SessionQuery {
  userId?: string | undefined;
  workspaceId?: string | undefined;
  /** An empty list matches nothing. */
  state?: SessionState | SessionState[] | undefined;
  surfaceId?: string | undefined;
  /** Only sessions whose `lastActivityAt` is later than this ISO-8601 time. */
  activeAfter?: string | undefined;
  /** Only sessions whose `lastActivityAt` is earlier than this ISO-8601 time. */
  activeBefore?: string | undefined;
  /** At most this many; 50 when absent. */
  limit?: number | undefined;
}

const DEFAULT_LIMIT = 50;

/** The normalised query: states listed, times as epoch milliseconds. */
export interface ExactQuery {
  readonly userId: string | undefined;
  readonly workspaceId: string | undefined;
  readonly surfaceId: string | undefined;
  readonly states: readonly SessionState[];
  readonly activeAfter: number | undefined;
  readonly activeBefore: number | undefined;
  readonly limit: number;
}

/** Validates and normalises a query; rejects invalid filters instead of ignoring them. */
export function readQuery(query: SessionQuery): ExactQuery {
  return {
    userId: optionalText(query.userId, 'userId'),
    workspaceId: optionalText(query.workspaceId, 'workspaceId'),
    surfaceId: optionalText(query.surfaceId, 'surfaceId'),
    states: readStates(query.state),
    activeAfter: optionalInstant(query.activeAfter, 'activeAfter'),
    activeBefore: optionalInstant(query.activeBefore, 'activeBefore'),
    limit: readLimit(query.limit),
  };
}

/** Epoch milliseconds of an ISO-8601 time. */
export function readInstant(value: unknown, field: string): number {
  const instant = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(instant)) {
    throw new SessionInputError(field, `must be an ISO-8601 time, not ${describeValue(value)}`);
  }
  return instant;
}

export function requireText(value: unknown, field: string): string {
  if (typeof value === 'string') return value;
  throw new SessionInputError(field, `must be a string, not ${describeValue(value)}`);
}

function optionalText(value: string | undefined, field: string): string | undefined {
  return value === undefined ? undefined : requireText(value, field);
}

function optionalInstant(value: string | undefined, field: string): number | undefined {
  return value === undefined ? undefined : readInstant(value, field);
}

function readStates(state: SessionQuery['state']): readonly SessionState[] {
  if (state === undefined) return SESSION_STATES;
  const states = [...new Set(Array.isArray(state) ? state : [state])];
  const unknown = states.find((candidate) => !SESSION_STATES.includes(candidate));
  if (unknown === undefined) return states;
  throw new SessionInputError(
    'state',
    `must be one of ${SESSION_STATES.join(', ')}, not ${unknown}`,
  );
}

function readLimit(limit: number | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  if (limit === Number.POSITIVE_INFINITY) return Number.MAX_SAFE_INTEGER;
  if (Number.isSafeInteger(limit) && limit >= 0) return limit;
  throw new SessionInputError(
    'limit',
    `must be a whole number from 0, not ${describeValue(limit)}`,
  );
}

function describeValue(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
}
