import { EntryLog, FileSessionLogger, openSecrets, SessionStore } from '@robota-sdk/agent-session';
import { userPaths } from '../paths.ts';
import { SessionNotFoundError } from './session-errors.ts';

/** Names a saved session that is not open here; `session_locked` when somebody else is its writer. */
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
    // A log in a file is written at once.
    void log.append('session_renamed', { name });
    logger.close(id);
    // The record stays behind the log, as it may; only its name is brought up to date.
    const record = { ...saved.record, name, ...(saved.end && { log: saved.end }) };
    store.save(secrets.redactor.redactValue(record));
  } finally {
    secrets.close();
    lock.release();
  }
}
