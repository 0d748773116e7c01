import { join } from 'node:path';
import { assertSessionId, FileSessionLogger } from '@robota-sdk/agent-session';

/**
 * The log of a subagent in its parent's folder, `<baseLogsDir>/<parentSessionId>/subagents/<agentId>.jsonl`,
 * whatever the id of the session that writes it.
 */
export function createSubagentLogger(
  parentSessionId: string,
  agentId: string,
  baseLogsDir: string,
): FileSessionLogger {
  assertSessionId(parentSessionId);
  assertSessionId(agentId);
  const logger = new FileSessionLogger(join(baseLogsDir, parentSessionId, 'subagents'));
  const { log, openSink, lock, sync, close, getFilePath } = FileSessionLogger.prototype;
  return Object.assign(logger, {
    log: (...[, event, data]: Parameters<typeof log>) => log.call(logger, agentId, event, data),
    openSink: () => openSink.call(logger, agentId),
    lock: () => lock.call(logger, agentId),
    sync: () => sync.call(logger, agentId),
    close: () => close.call(logger, agentId),
    getFilePath: () => getFilePath.call(logger, agentId),
  });
}
