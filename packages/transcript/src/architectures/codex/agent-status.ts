import type { SubagentBlock, SubagentStatus } from '../../blocks.ts';
import {
  asArray,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import { textOf } from './message-content.ts';
import { stringsOf, type TurnItem } from './turn-item.ts';

/** State of an agent: its status and its last output. */
export interface AgentState {
  readonly status: SubagentStatus;
  readonly output?: string;
}

/** Reads `"running"`, `{"completed": "text"}` and `{"status": "completed", "message": "text"}`. */
export function toAgentState(value: unknown): AgentState {
  if (typeof value === 'string') return { status: statusOf(value) };
  const state = asRecord(value);
  const named = asString(state.status);
  if (named !== undefined) {
    return compact({ status: statusOf(named), output: asString(state.message) });
  }
  const [key, message] = Object.entries(state)[0] ?? [];
  return compact({ status: statusOf(key ?? ''), output: asString(message) });
}

function statusOf(key: string): SubagentStatus {
  switch (key.toLowerCase().replace('_', '')) {
    case 'completed':
      return 'success';
    case 'pendinginit':
    case 'running':
    case 'started':
    case 'interacted':
    case '':
      return 'running';
    default:
      return 'error';
  }
}

/** The tool that starts an agent, in the tool sets of both versions. */
export function isSpawn(toolName: string, namespace?: string): boolean {
  if (toolName !== 'spawn_agent' && toolName !== 'spawnAgent') return false;
  return namespace === undefined || /agent|collab/.test(namespace);
}

/** `subagentId` is the call's id until the agent's own is known. */
export function startedAgent(call: {
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
    name: asString(input.task_name) ?? asString(input.agent_type),
    input: asString(input.message) ?? asString(input.prompt) ?? textOf(input.items),
    status: 'pending' as const,
    toolUseId,
  });
}

/** Applies a state; an ended agent is not reopened by an older report. */
export function withAgentState(
  block: SubagentBlock,
  { status, output }: AgentState,
): SubagentBlock {
  const isStale = hasEnded(block.status) && !hasEnded(status);
  return compact({
    ...block,
    status: isStale ? block.status : status,
    output: output ?? block.output,
  });
}

export function hasEnded(status: SubagentStatus): boolean {
  return status === 'success' || status === 'error';
}

/** What a collaboration call reports: the started agent, and the state of each agent. */
export interface AgentReport {
  readonly agentId?: string;
  readonly name?: string;
  readonly states: readonly (readonly [agentId: string, state: AgentState])[];
}

export function toAgentReport({ fields }: TurnItem): AgentReport {
  const receiver = asRecord(asArray(fields.receiver_agents)[0]);
  return compact({
    agentId: stringsOf(fields.receiver_thread_ids)[0],
    name: asString(receiver.agent_nickname) ?? asString(receiver.agent_role),
    states: statesOf(fields.agents_states),
  });
}

/** The states in the result of the tool that waits for agents. */
export function statesOf(value: unknown): AgentReport['states'] {
  if (!isRecord(value)) return [];
  return Object.entries(value).map(([id, state]) => [id, toAgentState(state)] as const);
}

/** The name of `/root/helper` is `helper`. */
export function agentNameOf(path: string | undefined): string | undefined {
  return path?.split('/').findLast((part) => part !== '');
}
