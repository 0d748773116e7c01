import { existsSync } from 'node:fs';
import { type ScrubResult, SessionStore, scrubSessionFiles } from '@robota-sdk/agent-session';
import { userPaths } from '../paths.ts';
import { SessionNotFoundError } from './session-errors.ts';

/**
 * Replaces every secret in the record, the log, payloads and subagent logs of a saved session with a placeholder and
 * deletes its vault, so the values cannot be recovered. Throws `session_locked` when it is open.
 */
export function scrubSession(id: string): ScrubResult {
  const { sessions, logs } = userPaths();
  const store = new SessionStore(sessions, { logDir: logs });
  const record = store.getFilePath(id);
  const log = store.getLogPath(id) ?? '';
  if (!existsSync(record) && !existsSync(log)) throw new SessionNotFoundError(id);
  return scrubSessionFiles({ id, record, log });
}
