import { asRecord, asString } from '../../json-record.ts';
import type { ModelRequest } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';
import type { SubagentThread, SupersededBranch } from '../../parsed-transcript.ts';
import { replaceSubagent, type SubagentCall, subagentOf } from './assemble-blocks.ts';
import { toModelRequest } from './request-ledger.ts';
import { hasEnded, subagentEndedBlock, subagentStartedBlock } from './subagent-block.ts';
import type { ThreadAssembly, ThreadReading } from './thread-reading.ts';

/** A subagent's conversation as it was found. */
export interface FoundThread {
  /** The agent's own id; `undefined` when the program did not give it one. */
  readonly id: string | undefined;
  readonly reading: ThreadReading;
  /** The text of the file beside it, which may come late. */
  meta?: string | undefined;
}

export interface LinkedThreads {
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
  readonly requests: readonly ModelRequest[];
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
  // All agents are named before any thread is handed out, because a thread holds the calls of agents it started.
  const named = linked.map((one) => ({ ...one, id: nameThread(one.thread, one.call) }));
  const wanted = named.filter(({ thread, call }) => call !== undefined || !isWarmup(thread));
  wanted.sort((left, right) => left.order - right.order);
  return {
    subagents: wanted.map(({ thread, call, id }) => withStartAndEnd(thread, call, id)),
    superseded: wanted.flatMap(({ thread, id }) =>
      thread.assembly.superseded.map((branch) => ({ ...branch, conversationId: id })),
    ),
    requests: named.flatMap(({ thread, call, id }) => {
      const cause = call === undefined && isWarmup(thread) ? 'warmup' : 'subagent';
      return thread.reading.requests.found().map((one) => toModelRequest(one, id, cause));
    }),
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

function nameThread(thread: AssembledThread, call: SubagentCall | undefined): string {
  const id = thread.id ?? call?.toolUseId ?? `sidechain:${thread.assembly.kept[0]?.uuid ?? ''}`;
  if (call !== undefined) replaceSubagent(call, (agent) => ({ ...agent, subagentId: id }));
  return id;
}

function withStartAndEnd(
  thread: AssembledThread,
  call: SubagentCall | undefined,
  id: string,
): SubagentThread {
  const { blocks, bytes } = thread.assembly.main;
  const meta = readMeta(thread.meta);
  const agent = call === undefined ? undefined : subagentOf(call);
  const key = call?.toolUseId ?? id;
  const startedAt = blocks[0]?.timestamp ?? thread.reading.timestamp;
  const started = subagentStartedBlock(key, agent?.name ?? asString(meta.agentType), startedAt);
  const status = agent?.status ?? (meta.finished === true ? 'success' : 'running');
  if (!hasEnded(status)) return { id, blocks: [started, ...blocks], offsets: [-1, ...bytes] };
  const endedAt = call?.endedAt ?? thread.reading.timestamp;
  const ended = subagentEndedBlock(key, status, endedAt);
  return { id, blocks: [started, ...blocks, ended], offsets: [-1, ...bytes, -1] };
}

function readMeta(meta: string | undefined): ReturnType<typeof asRecord> {
  return asRecord(meta === undefined ? undefined : parseLine(meta.trim()));
}

/** Some versions start agents that only fill a cache; nobody asked for them. */
function isWarmup({ reading }: FoundThread): boolean {
  return reading.prompt === 'Warmup';
}
