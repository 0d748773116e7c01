import { asRecord, asString } from '../../json-record.ts';
import type { ModelRequest } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';
import type { SubagentThread, SupersededBranch } from '../../parsed-transcript.ts';
import { replaceSubagent, type SubagentCall, subagentOf } from './assemble-blocks.ts';
import { toModelRequest } from './request-ledger.ts';
import { hasEnded, subagentEndedBlock, subagentStartedBlock } from './subagent-block.ts';
import type { ThreadAssembly, ThreadReading } from './thread-reading.ts';

/** A subagent thread before it is linked to its call. */
export interface FoundThread {
  /** The agent's own id, if the program wrote one. */
  readonly id: string | undefined;
  readonly reading: ThreadReading;
  /** Text of the metadata file, which may arrive later. */
  meta?: string | undefined;
}

export interface LinkedThreads {
  readonly subagents: readonly SubagentThread[];
  readonly superseded: readonly SupersededBranch[];
  readonly requests: readonly ModelRequest[];
}

/** Finds the call that started each thread and gives both the same id. */
export function linkSubagents(main: ThreadAssembly, found: readonly FoundThread[]): LinkedThreads {
  const threads = found
    .filter(({ reading }) => !reading.isEmpty)
    .map((thread) => ({ ...thread, assembly: thread.reading.assemble() }));
  const calls = [main, ...threads.map((thread) => thread.assembly)].flatMap(
    ({ calls: own }) => own,
  );
  const unlinked = new UnlinkedCalls(calls);
  const places = new Map(calls.map((call, index) => [call, index]));
  const linked = threads.map((thread) => {
    const call = unlinked.take(thread);
    const order = call === undefined ? undefined : places.get(call);
    return { thread, call, order: order ?? calls.length };
  });
  // All agents are named first, because a thread contains the calls of agents it started.
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

/** Calls by the ways in which a thread can belong to them; each call is given to one thread, the first call first. */
class UnlinkedCalls {
  readonly #byAgent = new Map<string, SubagentCall[]>();
  readonly #byToolUse = new Map<string, SubagentCall[]>();
  readonly #byPrompt = new Map<string, SubagentCall[]>();
  readonly #taken = new Set<SubagentCall>();

  constructor(calls: readonly SubagentCall[]) {
    // Reversed, so that the first call is taken from the end of its list.
    for (const call of calls.toReversed()) {
      const { subagentId, input } = subagentOf(call);
      addTo(this.#byAgent, subagentId, call);
      addTo(this.#byToolUse, call.toolUseId, call);
      if (isUnnamed(call)) addTo(this.#byPrompt, input, call);
    }
  }

  take({ id, meta, reading }: AssembledThread): SubagentCall | undefined {
    const toolUseId = asString(readMeta(meta).toolUseId);
    const call =
      this.#next(this.#byAgent, id) ??
      this.#next(this.#byToolUse, toolUseId) ??
      this.#next(this.#byPrompt, reading.prompt);
    if (call !== undefined) this.#taken.add(call);
    return call;
  }

  #next(calls: ReadonlyMap<string, SubagentCall[]>, key: string | undefined) {
    const queue = key === undefined ? undefined : calls.get(key);
    for (let call = queue?.pop(); call !== undefined; call = queue?.pop()) {
      if (!this.#taken.has(call)) return call;
    }
    return undefined;
  }
}

function addTo(calls: Map<string, SubagentCall[]>, key: string, call: SubagentCall): void {
  const queue = calls.get(key);
  if (queue === undefined) calls.set(key, [call]);
  else queue.push(call);
}

/** Whether the agent behind the call is still unknown. */
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

/** Some versions start agents only to fill a cache. */
function isWarmup({ reading }: FoundThread): boolean {
  return reading.prompt === 'Warmup';
}
