import type { ConversationBlock, SubagentBlock } from '../../blocks.ts';
import type { Assembly } from './assemble-blocks.ts';
import type { ThreadReading } from './thread-reading.ts';

/** A chat that was read: the main one or a subagent's. */
export interface ReadChat {
  readonly reading: ThreadReading;
  readonly assembly: Assembly;
}

/** A subagent's chat. */
export interface FoundThread extends ReadChat {
  readonly id: string;
}

/**
 * Over ACP the program omits the agent's id from the call that started it. Assigns each such call the thread that
 * begins with its prompt, in order of time and each once. The result does not depend on the order of files.
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

/** Subagent calls, including those in dropped messages. */
export function agentsOf({ blocks, superseded }: Assembly): SubagentBlock[] {
  const dropped = superseded.flatMap((branch) => branch.blocks.filter(isSubagent));
  return [...blocks.filter(isSubagent), ...dropped];
}

/** Whether the call does not name its agent, so that its own id is used. */
export function isUnnamed({ subagentId, toolUseId }: SubagentBlock): boolean {
  return subagentId === toolUseId;
}

export function isSubagent(block: ConversationBlock): block is SubagentBlock {
  return block.type === 'subagent';
}

interface AgentCall {
  readonly block: SubagentBlock;
  /** The chat that contains the call. */
  readonly chat: ReadChat;
}

function callsOf(chat: ReadChat): AgentCall[] {
  return agentsOf(chat.assembly).map((block) => ({ block, chat }));
}

/** A call that ended before the thread began is used only if there is no other. */
function callOf({ reading }: FoundThread, calls: readonly AgentCall[]): AgentCall | undefined {
  const { task, startedAt } = reading;
  const matching = calls.filter(
    ({ block, chat }) => block.input === task && chat.reading !== reading,
  );
  return matching.find((call) => !endedBefore(call, startedAt)) ?? matching[0];
}

function endedBefore({ block, chat }: AgentCall, time: string): boolean {
  const hasEnded = block.status === 'success' || block.status === 'error';
  const recordedAt = chat.reading.callRecordedAt(block.toolUseId ?? '');
  return hasEnded && recordedAt !== undefined && recordedAt < time;
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
