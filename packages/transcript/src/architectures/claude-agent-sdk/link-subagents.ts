import type { ConversationBlock } from '../../blocks.ts';
import { asRecord, asString } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { SubagentThread, SupersededBranch } from '../../parsed-transcript.ts';
import { replaceSubagent, type SubagentCall, subagentOf } from './assemble-blocks.ts';
import { hasEnded, subagentEndedBlock, subagentStartedBlock } from './subagent-block.ts';
import type { ThreadAssembly, ThreadReading } from './thread-reading.ts';

/** A subagent's conversation as it was found. */
export interface FoundThread {
  /** The agent's own id; `undefined` when the program did not give it one. */
  readonly id: string | undefined;
  readonly reading: ThreadReading;
  readonly meta?: string;
}

export interface LinkedThreads {
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
}

/** Finds for every thread the call that started it, and gives both one id. */
export function linkSubagents(main: ThreadAssembly, found: readonly FoundThread[]): LinkedThreads {
  const threads = found
    .filter(({ reading }) => !reading.isEmpty)
    .map((thread) => ({ ...thread, assembly: thread.reading.assemble() }));
  const calls = [main, ...threads.map((thread) => thread.assembly)].flatMap(
    ({ calls: own }) => own,
  );
  const free = new Set(calls);
  const linked = threads.map((thread) => {
    const call = findCall(thread, free);
    if (call !== undefined) free.delete(call);
    return { thread, call, order: call === undefined ? calls.length : calls.indexOf(call) };
  });
  const wanted = linked.filter(({ thread, call }) => call !== undefined || !isWarmup(thread));
  wanted.sort((left, right) => left.order - right.order);
  const subagents = wanted.map(({ thread, call }) => toThread(thread, call));
  return {
    subagents,
    superseded: wanted.flatMap(({ thread }, index) =>
      thread.assembly.superseded.map((branch) => ({
        ...branch,
        conversationId: subagents[index]?.id ?? '',
      })),
    ),
  };
}

interface AssembledThread extends FoundThread {
  readonly assembly: ThreadAssembly;
}

function findCall(
  thread: AssembledThread,
  free: ReadonlySet<SubagentCall>,
): SubagentCall | undefined {
  const candidates = [...free];
  const toolUseId = asString(readMeta(thread.meta).toolUseId);
  return (
    candidates.find(
      (call) => thread.id !== undefined && subagentOf(call).subagentId === thread.id,
    ) ??
    candidates.find((call) => call.toolUseId === toolUseId) ??
    candidates.find((call) => isUnnamed(call) && subagentOf(call).input === thread.reading.prompt)
  );
}

/** Whether nobody has said yet which agent answers the call. */
function isUnnamed(call: SubagentCall): boolean {
  return subagentOf(call).subagentId === call.toolUseId;
}

function toThread(thread: AssembledThread, call: SubagentCall | undefined): SubagentThread {
  const id = thread.id ?? call?.toolUseId ?? `sidechain:${thread.assembly.kept[0]?.uuid ?? ''}`;
  if (call !== undefined) replaceSubagent(call, (agent) => ({ ...agent, subagentId: id }));
  return { id, blocks: withStartAndEnd(thread, call, id) };
}

function withStartAndEnd(
  thread: AssembledThread,
  call: SubagentCall | undefined,
  id: string,
): ConversationBlock[] {
  const { blocks } = thread.assembly.main;
  const meta = readMeta(thread.meta);
  const agent = call === undefined ? undefined : subagentOf(call);
  const key = call?.toolUseId ?? id;
  const startedAt = blocks[0]?.timestamp ?? thread.reading.timestamp;
  const started = subagentStartedBlock(key, agent?.name ?? asString(meta.agentType), startedAt);
  const status = agent?.status ?? (meta.finished === true ? 'success' : 'running');
  if (!hasEnded(status)) return [started, ...blocks];
  const endedAt = call?.endedAt ?? thread.reading.timestamp;
  return [started, ...blocks, subagentEndedBlock(key, status, endedAt)];
}

function readMeta(meta: string | undefined): ReturnType<typeof asRecord> {
  return asRecord(meta === undefined ? undefined : parseLine(meta.trim()));
}

/** Some versions start agents that only fill a cache; nobody asked for them. */
function isWarmup({ reading }: FoundThread): boolean {
  return reading.prompt === 'Warmup';
}
