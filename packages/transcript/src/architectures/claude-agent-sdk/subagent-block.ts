import type { SubagentBlock, SubagentStatus, SystemBlock, ToolResultBlock } from '../../blocks.ts';
import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  type JsonRecord,
} from '../../json-record.ts';
import type { TaskReport } from './claude-record.ts';
import { textOf } from './content.ts';

/** The tool that starts a subagent was called Task until 2.1.50. */
export function isAgentTool(toolName: string): boolean {
  return toolName === 'Agent' || toolName === 'Task';
}

/** `subagentId` is the tool-use id until the agent's own id is known. */
export function startedSubagent(call: {
  readonly toolUseId: string;
  readonly timestamp: string;
  readonly input: JsonRecord;
}): SubagentBlock {
  const { toolUseId, timestamp, input } = call;
  return compact({
    type: 'subagent' as const,
    id: `subagent:${toolUseId}`,
    timestamp,
    subagentId: toolUseId,
    name: asString(input.subagent_type),
    input: asString(input.prompt) ?? '',
    status: 'pending' as const,
    toolUseId,
  });
}

/** The block after its tool result; a background agent has then only started. */
export function answeredSubagent(
  block: SubagentBlock,
  result: ToolResultBlock,
  structured: unknown,
): SubagentBlock {
  const answer = asRecord(structured);
  const status = result.isError ? 'error' : statusOf(asString(answer.status) ?? 'completed');
  return compact({
    ...block,
    subagentId: asId(answer.agentId) ?? block.subagentId,
    name: block.name ?? asString(answer.agentType),
    status,
    output: status === 'running' ? block.output : reportText(answer, result),
    durationMs: asNumber(answer.totalDurationMs) ?? block.durationMs,
  });
}

/** The block after a background agent has reported its end. */
export function reportedSubagent(block: SubagentBlock, report: TaskReport): SubagentBlock {
  return compact({
    ...block,
    subagentId: block.subagentId === block.toolUseId ? report.taskId : block.subagentId,
    status: report.status === 'completed' ? ('success' as const) : ('error' as const),
    output: report.result ?? block.output ?? report.summary,
  });
}

export function subagentStartedBlock(
  key: string,
  name: string | undefined,
  timestamp: string,
): SystemBlock {
  const message = name === undefined ? 'Subagent started' : `Subagent ${name} started`;
  const id = `subagent:${key}:started`;
  return { type: 'system', id, timestamp, subtype: 'session_start', message };
}

export function subagentEndedBlock(
  key: string,
  status: SubagentStatus,
  timestamp: string,
): SystemBlock {
  const message = status === 'success' ? 'Subagent completed' : 'Subagent failed';
  const id = `subagent:${key}:completed`;
  return { type: 'system', id, timestamp, subtype: 'session_end', message };
}

export function hasEnded(status: SubagentStatus): boolean {
  return status === 'success' || status === 'error';
}

/** Strips the prefix `agent-` that file names have. */
export function bareAgentId(id: string): string {
  return id.startsWith('agent-') ? id.slice('agent-'.length) : id;
}

function statusOf(status: string): SubagentStatus {
  if (status === 'completed') return 'success';
  return status.endsWith('_launched') || status === 'running' ? 'running' : 'error';
}

/** The report without the notes that newer versions put before and after it. */
function reportText(answer: JsonRecord, result: ToolResultBlock): string {
  if (!Array.isArray(answer.content)) return textOf(result.output);
  const parts = asArray(answer.content);
  const before = asNumber(answer.harnessNoteCount) ?? 0;
  const after = asNumber(answer.harnessTailCount) ?? 0;
  return textOf(parts.slice(before, Math.max(before, parts.length - after)));
}
