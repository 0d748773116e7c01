import type { ConversationBlock, SubagentBlock, SystemBlock } from '../../blocks.ts';
import { asRecord, asString, compact } from '../../json-record.ts';
import type { ToolCall, ToolResponse } from './gemini-message.ts';
import { inputOf, statusOf } from './tool-blocks.ts';

/** Since 0.37 one tool starts all agents; before, each agent was a separate tool that reported progress. */
export function isAgentCall({ name, agentId, display }: ToolCall): boolean {
  return (
    name === 'invoke_agent' ||
    agentId !== undefined ||
    asRecord(display).isSubagentProgress === true
  );
}

export function subagentBlock(
  call: ToolCall,
  response: ToolResponse | undefined,
  timestamp: string,
): SubagentBlock {
  const status = statusOf(call, response);
  const hasEnded = status === 'success' || status === 'error';
  return compact({
    type: 'subagent' as const,
    id: `subagent:${call.id}`,
    timestamp,
    subagentId: call.agentId ?? call.id,
    name: agentName(call),
    input: taskOf(call.args),
    status,
    output: hasEnded ? reportOf(call, response) : undefined,
    toolUseId: call.id,
  });
}

/** Adds the start block and, once the agent is done, the end block. */
export function withStartAndEnd(
  blocks: readonly ConversationBlock[],
  agent: SubagentBlock | undefined,
  thread: { readonly id: string; readonly startedAt: string; readonly endedAt: string },
): ConversationBlock[] {
  const key = agent?.toolUseId ?? thread.id;
  const name = agent?.name;
  const started: SystemBlock = {
    type: 'system',
    id: `subagent:${key}:started`,
    timestamp: blocks[0]?.timestamp ?? thread.startedAt,
    subtype: 'session_start',
    message: name === undefined ? 'Subagent started' : `Subagent ${name} started`,
  };
  if (agent?.status !== 'success' && agent?.status !== 'error') return [started, ...blocks];
  const ended: SystemBlock = {
    type: 'system',
    id: `subagent:${key}:completed`,
    timestamp: thread.endedAt,
    subtype: 'session_end',
    message: agent.status === 'success' ? 'Subagent completed' : 'Subagent failed',
  };
  return [started, ...blocks, ended];
}

function agentName({ name, args, display }: ToolCall): string | undefined {
  const given = asString(asRecord(args).agent_name) ?? asString(asRecord(display).agentName);
  return given ?? (name === 'invoke_agent' ? undefined : name);
}

/** Agents use different names for their task argument; others get all arguments as JSON. */
function taskOf(args: unknown): string {
  const { prompt, objective, query, task, request } = inputOf(args);
  const found = [prompt, objective, query, task, request].find((text) => typeof text === 'string');
  return asString(found) ?? JSON.stringify(inputOf(args));
}

/** The report without the header the program adds. */
function reportOf({ display }: ToolCall, response: ToolResponse | undefined): string {
  const reported = asString(asRecord(display).result);
  if (reported !== undefined) return reported;
  const text = asString(response?.output) ?? asString(display) ?? '';
  return /^Subagent '.*' finished\.\n[\s\S]*?\nResult:\n([\s\S]*)$/.exec(text)?.[1] ?? text;
}
