import { FileSessionLogger, SessionStore } from '@robota-sdk/agent-session';
import { userPaths } from '../paths.ts';
import { SessionNotFoundError } from './session-errors.ts';

/** Names a saved session that is not open here; `session_locked` when somebody else is its writer. */
export function renameSession(id: string, name: string): void {
  const { sessions, logs } = userPaths();
  const store = new SessionStore(sessions, { logDir: logs });
  const record = store.load(id);
  if (!record) throw new SessionNotFoundError(id);
  const lock = store.lock(id);
  const logger = new FileSessionLogger(logs);
  try {
    logger.log(id, 'session_renamed', { name });
    logger.close(id);
    store.save({ ...record, name });
  } finally {
    lock.release();
  }
}
