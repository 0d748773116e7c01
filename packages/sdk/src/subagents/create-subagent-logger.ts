import { join } from 'node:path';
import { assertSessionId, FileSessionLogger } from '@robota-sdk/agent-session';

/** A log of a subagent's own, below its parent's: `<baseLogsDir>/<parentSessionId>/subagents/<agentId>.jsonl`. */
export function createSubagentLogger(
  parentSessionId: string,
  agentId: string,
  baseLogsDir: string,
): FileSessionLogger {
  assertSessionId(parentSessionId);
  assertSessionId(agentId);
  return new FileSessionLogger(join(baseLogsDir, parentSessionId, 'subagents'));
}
