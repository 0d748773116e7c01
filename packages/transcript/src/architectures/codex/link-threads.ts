import type { ConversationBlock, SubagentBlock, SystemBlock } from '../../blocks.ts';
import { compact } from '../../json-record.ts';
import type { SubagentThread, SupersededBranch } from '../../parsed-transcript.ts';
import { agentNameOf, hasEnded, withAgentState } from './agent-status.ts';
import type { CompleteThread } from './complete-thread.ts';

export interface LinkedThreads {
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
}

/** A subagent block and its position in the thread that started the agent. */
interface AgentCall {
  readonly blocks: ConversationBlock[];
  readonly index: number;
}

/** Finds the call that started each subagent thread and gives both the same id. */
export function linkThreads(main: CompleteThread, found: readonly CompleteThread[]): LinkedThreads {
  const calls = [main, ...found].flatMap(({ blocks }) => callsIn(blocks));
  const linked = found.map((thread) => {
    const call = findCall(thread, calls);
    return { thread, call, order: call === undefined ? calls.length : calls.indexOf(call) };
  });
  linked.sort((left, right) => left.order - right.order);
  // All agents are named first, because a thread contains the calls of agents it started.
  for (const { thread, call } of linked) {
    if (call !== undefined) call.blocks[call.index] = completed(agentOf(call), thread);
  }
  return {
    subagents: linked.map(({ thread, call }) => toThread(thread, call)),
    superseded: linked.flatMap(({ thread }) =>
      thread.superseded.map((branch) => ({ ...branch, conversationId: thread.id })),
    ),
  };
}

function callsIn(blocks: ConversationBlock[]): AgentCall[] {
  return blocks.flatMap((block, index) => (block.type === 'subagent' ? [{ blocks, index }] : []));
}

function agentOf({ blocks, index }: AgentCall): SubagentBlock {
  // A call is only created for a subagent block, and only replaced by one.
  return blocks[index] as SubagentBlock;
}

function findCall(thread: CompleteThread, calls: readonly AgentCall[]): AgentCall | undefined {
  const unnamed = calls.filter((call) => agentOf(call).subagentId === agentOf(call).toolUseId);
  return (
    calls.find((call) => agentOf(call).subagentId === thread.id) ??
    unnamed.find((call) => agentOf(call).metadata?.agentPath === (thread.agentPath ?? NO_PATH)) ??
    unnamed.find((call) => agentOf(call).input === thread.firstPrompt)
  );
}

const NO_PATH = Symbol('no agent path');

function toThread(thread: CompleteThread, call: AgentCall | undefined): SubagentThread {
  const agent = call === undefined ? undefined : agentOf(call);
  const key = agent?.toolUseId ?? thread.id;
  const name = agent?.name ?? thread.nickname ?? agentNameOf(thread.agentPath);
  const startedAt = thread.blocks[0]?.timestamp ?? thread.endedAt;
  const started = startedBlock(key, name, startedAt);
  const status = agent?.status ?? thread.state?.status ?? 'running';
  const { id, blocks, offsets } = thread;
  if (!hasEnded(status)) return { id, blocks: [started, ...blocks], offsets: [-1, ...offsets] };
  const ended = endedBlock(key, status, thread.endedAt);
  return { id, blocks: [started, ...blocks, ended], offsets: [-1, ...offsets, -1] };
}

/** Fills in what the parent thread does not record from the agent's own thread. */
function completed(agent: SubagentBlock, thread: CompleteThread): SubagentBlock {
  const named = compact({
    ...agent,
    subagentId: thread.id,
    name: agent.name ?? thread.nickname ?? agentNameOf(thread.agentPath),
  });
  const { state } = thread;
  if (state === undefined || agent.output !== undefined) return named;
  const status = hasEnded(agent.status) ? agent.status : state.status;
  return withAgentState(named, { ...state, status });
}

export function startedBlock(
  key: string,
  name: string | undefined,
  timestamp: string,
): SystemBlock {
  const message = name === undefined ? 'Subagent started' : `Subagent ${name} started`;
  const id = `subagent:${key}:started`;
  return { type: 'system', id, timestamp, subtype: 'session_start', message };
}

export function endedBlock(
  key: string,
  status: SubagentBlock['status'],
  timestamp: string,
): SystemBlock {
  const message = status === 'success' ? 'Subagent completed' : 'Subagent failed';
  const id = `subagent:${key}:completed`;
  return { type: 'system', id, timestamp, subtype: 'session_end', message };
}
