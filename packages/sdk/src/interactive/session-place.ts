import { randomUUID } from 'node:crypto';
import {
  assertSessionId,
  FileSessionLogger,
  type SessionLogger,
  type SessionRecordStore,
} from '@robota-sdk/agent-session';
import { createProjectSessionStore } from '../records/project-session-store.ts';
import type { InteractiveSessionOptions } from './options.ts';

/** Under which id a session is kept, and where. */
export interface SessionPlace {
  readonly sessionId: string;
  /** Read from even where nothing may be written. */
  readonly store: SessionRecordStore | undefined;
  readonly logDirectory: string | undefined;
  /** Absent where nothing may be written. */
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

/** Without a store given, one is opened only to come back to a session or when asked for. */
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
