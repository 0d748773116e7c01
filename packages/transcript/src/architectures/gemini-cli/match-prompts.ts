import type { ConversationBlock, SubagentBlock } from '../../blocks.ts';
import type { Assembly } from './assemble-blocks.ts';
import type { ThreadReading } from './thread-reading.ts';

/** A chat as it was read: the main one or a subagent's. */
export interface ReadChat {
  readonly reading: ThreadReading;
  readonly assembly: Assembly;
}

/** A subagent's chat as it was found. */
export interface FoundThread extends ReadChat {
  readonly id: string;
}

/**
 * Over ACP the program leaves the agent's id out of the call that started it. Gives such calls the thread that begins
 * with their prompt: the earliest goes with the earliest, each once. The answer does not depend on the order of files.
 */
export function matchPrompts(
  main: ReadChat,
  threads: readonly FoundThread[],
): ReadonlyMap<SubagentBlock, string> {
  const inOrder = threads.toSorted(
    (one, other) =>
      compareText(one.reading.startedAt, other.reading.startedAt) || compareText(one.id, other.id),
  );
  const calls = [main, ...inOrder].flatMap(callsOf);
  const named = new Set(calls.map(({ block }) => block.subagentId));
  const waiting = new Set(
    calls
      .filter(({ block }) => isUnnamed(block))
      .sort((one, other) => compareText(one.block.timestamp, other.block.timestamp)),
  );
  const found = new Map<SubagentBlock, string>();
  for (const thread of inOrder) {
    const call = named.has(thread.id) ? undefined : callOf(thread, [...waiting]);
    if (call === undefined) continue;
    waiting.delete(call);
    found.set(call.block, thread.id);
  }
  return found;
}

/** Agents' calls, those in dropped messages included. */
export function agentsOf({ blocks, superseded }: Assembly): SubagentBlock[] {
  return [...blocks, ...superseded.flatMap((branch) => branch.blocks)].filter(isSubagent);
}

/** Whether the call does not say which agent it started, so that its own id stands for the agent's. */
export function isUnnamed({ subagentId, toolUseId }: SubagentBlock): boolean {
  return subagentId === toolUseId;
}

export function isSubagent(block: ConversationBlock): block is SubagentBlock {
  return block.type === 'subagent';
}

interface AgentCall {
  readonly block: SubagentBlock;
  /** The chat in which it stands. */
  readonly chat: ReadChat;
}

function callsOf(chat: ReadChat): AgentCall[] {
  return agentsOf(chat.assembly).map((block) => ({ block, chat }));
}

/** A call that was over before the thread began is taken only if there is no other. */
function callOf({ reading }: FoundThread, calls: readonly AgentCall[]): AgentCall | undefined {
  const { task, startedAt } = reading;
  const asking = calls.filter(
    ({ block, chat }) => block.input === task && chat.reading !== reading,
  );
  return asking.find((call) => !isOverBefore(call, startedAt)) ?? asking[0];
}

function isOverBefore({ block, chat }: AgentCall, time: string): boolean {
  const isOver = block.status === 'success' || block.status === 'error';
  const recordedAt = chat.reading.callRecordedAt(block.toolUseId ?? '');
  return isOver && recordedAt !== undefined && recordedAt < time;
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
