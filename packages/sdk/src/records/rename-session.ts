import { EntryLog, FileSessionLogger, openSecrets, SessionStore } from '@robota-sdk/agent-session';
import { userPaths } from '../paths.ts';
import { SessionNotFoundError } from './session-errors.ts';

/** Renames a saved session that is not open here; throws `session_locked` when another process has it open. */
export function renameSession(id: string, name: string): void {
  const { sessions, logs } = userPaths();
  const store = new SessionStore(sessions, { logDir: logs });
  const saved = store.open(id);
  if (!saved) throw new SessionNotFoundError(id);
  const lock = store.lock(id);
  const logger = new FileSessionLogger(logs);
  const { own: secrets } = openSecrets({ sessionLogger: logger }, id);
  const log = new EntryLog({ sessionId: id, logger, secrets });
  log.subscribe((entry) => saved.fold.apply(entry));
  try {
    const { n, messages, hasSystem } = saved.fold.state;
    log.continueFrom({ n, messages, hasSystem });
    // A file log is written synchronously.
    void log.append('session_renamed', { name });
    logger.close(id);
    // The record may lag behind the log; only its name is updated.
    const record = { ...saved.record, name, ...(saved.end && { log: saved.end }) };
    store.save(secrets.redactor.redactValue(record));
  } finally {
    secrets.close();
    lock.release();
  }
}
