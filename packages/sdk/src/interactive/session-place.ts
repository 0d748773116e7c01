import { randomUUID } from 'node:crypto';
import {
  assertSessionId,
  FileSessionLogger,
  type SessionLogger,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import { createProjectSessionStore } from '../records/project-session-store.ts';
import type { InteractiveSessionOptions } from './options.ts';

/** The id of a session and where it is stored. */
export interface SessionPlace {
  readonly sessionId: string;
  /** Also set when nothing may be written, for reading. */
  readonly store: SessionRecordStore | undefined;
  readonly logDirectory: string | undefined;
  /** Undefined when nothing may be written. */
  readonly logger: SessionLogger | undefined;
  readonly mayWrite: boolean;
}

export function sessionPlaceOf(options: InteractiveSessionOptions): SessionPlace {
  const store = storeOf(options);
  const logDirectory =
    options.logDirectory ?? (store as { logDirectory?: string } | undefined)?.logDirectory;
  const mayWrite = options.persistence !== false && !options.readOnly;
  return {
    sessionId: idOf(options),
    store,
    logDirectory,
    logger: mayWrite ? loggerOf(options, logDirectory) : undefined,
    mayWrite,
  };
}

function idOf(options: InteractiveSessionOptions): string {
  if (options.session) return options.session.getSessionId();
  const { sessionId, resumeSessionId, forkSession } = options;
  if (resumeSessionId !== undefined && !forkSession) return resumeSessionId;
  if (sessionId !== undefined) assertSessionId(sessionId);
  return sessionId ?? randomUUID();
}

/** Without a given store, the default one is opened only to resume a session or for `persistence: true`. */
function storeOf(options: InteractiveSessionOptions): SessionRecordStore | undefined {
  if (options.sessionStore) return options.sessionStore;
  const isWanted = options.persistence === true || options.resumeSessionId !== undefined;
  return isWanted ? createProjectSessionStore(options.cwd ?? process.cwd()) : undefined;
}

function loggerOf(
  options: InteractiveSessionOptions,
  directory: string | undefined,
): SessionLogger | undefined {
  if (options.sessionLogger) return options.sessionLogger;
  return directory === undefined ? undefined : new FileSessionLogger(directory);
}
