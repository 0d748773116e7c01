import { isSessionId, SessionStore, type SessionSummary } from '@robota-sdk/agent-session';
import { userPaths } from '../paths.ts';
import { createProjectSessionStore } from './project-session-store.ts';
import { AmbiguousSessionError, SessionNotFoundError } from './session-errors.ts';

/** Which sessions to list. */
export interface SessionListScope {
  /** Only sessions of this directory; defaults to all. */
  readonly cwd?: string | undefined;
}

/** Summaries of saved sessions, newest first. */
export function listSessionSummaries(scope: SessionListScope = {}): SessionSummary[] {
  if (scope.cwd !== undefined) return createProjectSessionStore(scope.cwd).listSummaries();
  return userStore().listSummaries();
}

/** The id of the session last used in a directory; null when there is none. */
export function latestSessionId(cwd: string): string | null {
  return listSessionSummaries({ cwd })[0]?.id ?? null;
}

/** Resolves an id, an id prefix (8 characters or more) or a name; names of this directory take precedence. */
export function resolveSessionReference(reference: string, scope: SessionListScope = {}): string {
  const here = scope.cwd === undefined ? [] : listSessionSummaries(scope);
  const all = listSessionSummaries();
  const known = [...here, ...all.filter(({ id }) => !here.some((summary) => summary.id === id))];
  if (isSessionId(reference) && known.some(({ id }) => id === reference)) return reference;
  const found =
    onlyOne(
      reference,
      here.filter(({ name }) => name === reference),
    ) ??
    onlyOne(
      reference,
      known.filter(({ name }) => name === reference),
    ) ??
    onlyOne(
      reference,
      reference.length < 8 ? [] : known.filter(({ id }) => id.startsWith(reference)),
    );
  if (found === null) throw new SessionNotFoundError(reference);
  return found;
}

/** Removes the record, the log, payloads and subagent logs of a session; `session_locked` when it is open. */
export function deleteSession(id: string): void {
  const store = userStore();
  const lock = store.lock(id);
  try {
    store.delete(id);
  } finally {
    lock.release();
  }
}

function userStore(): SessionStore {
  const { sessions, logs } = userPaths();
  return new SessionStore(sessions, { logDir: logs });
}

function onlyOne(reference: string, found: readonly SessionSummary[]): string | null {
  if (found.length > 1) {
    throw new AmbiguousSessionError(
      reference,
      found.map(({ id }) => id),
    );
  }
  return found[0]?.id ?? null;
}
