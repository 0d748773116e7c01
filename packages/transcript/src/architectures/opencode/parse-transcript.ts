import type { ConversationBlock, SubagentBlock } from '../../blocks.ts';
import {
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import { type ModelRequest, mergeRequests } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';
import type {
  ParsedTranscript,
  SubagentThread,
  SupersededBranch,
} from '../../parsed-transcript.ts';
import { SkipCounter } from '../../skip-counter.ts';
import { sumUsage } from '../../token-usage.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';
import { UniqueIds } from '../../unique-ids.ts';
import {
  assistantBlocks,
  failureBlock,
  type StoredRecord,
  timeOf,
  userBlocks,
} from './part-blocks.ts';

/**
 * Reads opencode sessions as lines: `{"session":…}`, `{"message":…}`, `{"part":…}`, each with its id, which
 * our layout creates from its database or its older files.
 */
export const opencodeTranscriptParser: TranscriptParser = {
  start: () => new OpencodeTranscriptReader(),
};

class OpencodeTranscriptReader implements TranscriptReader {
  readonly #skipped = new SkipCounter();
  readonly #main = new SessionRows(this.#skipped);
  readonly #agents = new Map<string, SessionRows>();

  line(text: string): void {
    this.#main.line(text);
  }

  subagent(id: string): SubagentReader {
    const bareId = id === '' ? `agent:${this.#agents.size}` : id;
    const rows = this.#agents.get(bareId) ?? new SessionRows(this.#skipped);
    this.#agents.set(bareId, rows);
    return rows;
  }

  end(): ParsedTranscript {
    const main = this.#main.assemble();
    const threads = [...this.#agents].map(([id, rows]) => ({ id, ...rows.assemble() }));
    const calls = agentCalls([main, ...threads].flatMap(({ blocks }) => blocks));
    const requests = mergeRequests([
      this.#main.requests('main'),
      ...[...this.#agents].map(([id, rows]) => rows.requests(id)),
    ]);
    const paid = requests.flatMap(({ usage, isCopy }) => (isCopy === true ? [] : [usage]));
    return {
      blocks: main.blocks,
      subagents: threads.map(({ id, blocks }) => withStartAndEnd(id, blocks, calls)),
      superseded: [
        ...main.superseded,
        ...threads.flatMap(({ id, superseded }) =>
          superseded.map((branch) => ({ ...branch, conversationId: id })),
        ),
      ],
      skipped: this.#skipped.total(),
      metadata: { ...this.#main.metadata(), ...(paid.length > 0 && { usage: sumUsage(paid) }) },
      offsets: main.blocks.map(() => -1),
      requests,
    };
  }
}

/** The rows of one session; a repeated row is an update. */
class SessionRows {
  readonly #skipped: SkipCounter;
  readonly #messages = new Map<string, JsonRecord>();
  readonly #parts = new Map<string, Map<string, JsonRecord>>();
  #session: JsonRecord = {};

  constructor(skipped: SkipCounter) {
    this.#skipped = skipped;
  }

  line(text: string): void {
    const row = parseLine(text);
    if (row === 'blank') return;
    if (row === 'unreadable') {
      this.#skipped.line();
      return;
    }
    const { session, message, part } = row;
    if (isRecord(session)) this.#session = session;
    else if (isRecord(message)) this.#messages.set(this.#idOf(message), message);
    else if (isRecord(part)) this.#addPart(part);
    else this.#skipped.kind(`row/${Object.keys(row)[0] ?? 'empty'}`);
  }

  assemble(): { readonly blocks: ConversationBlock[]; readonly superseded: SupersededBranch[] } {
    const ids = new UniqueIds();
    const revertedFrom = asId(asRecord(this.#session.revert).messageID);
    const blocks: ConversationBlock[] = [];
    const reverted: ConversationBlock[] = [];
    for (const message of this.#ordered()) {
      const isReverted = revertedFrom !== undefined && message.id >= revertedFrom;
      for (const block of this.#blocksOf(message))
        (isReverted ? reverted : blocks).push(ids.assign(block));
    }
    const kept = withSummaries(blocks, this.#summaries());
    if (reverted.length === 0) return { blocks: kept, superseded: [] };
    const afterBlockId = kept.at(-1)?.id ?? null;
    return { blocks: kept, superseded: [{ reason: 'rewind', afterBlockId, blocks: reverted }] };
  }

  requests(thread: string): ModelRequest[] {
    return this.#ordered().flatMap(({ id, data }) => {
      if (data.role !== 'assistant' || !isRecord(data.tokens)) return [];
      return [toRequest({ id, data }, thread)];
    });
  }

  metadata() {
    const { id, directory, title, version } = this.#session;
    const answers = this.#ordered().filter(({ data }) => data.role === 'assistant');
    const costs = answers.map((answer) =>
      requestIdentity(answer).isCopy === true ? 0 : (asNumber(answer.data.cost) ?? 0),
    );
    return compact({
      sessionId: asId(id),
      cwd: asString(directory) ?? asString(asRecord(answers[0]?.data.path).cwd),
      title: asString(title),
      version: asString(version),
      model: asString(answers.at(-1)?.data.modelID),
      costUSD: answers.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    });
  }

  #blocksOf(message: StoredRecord): ConversationBlock[] {
    const parts = this.#partsOf(message.id);
    if (message.data.role === 'user') return userBlocks(message, parts);
    // A compaction summary is shown with the compaction.
    const blocks =
      message.data.summary === true ? [] : parts.flatMap((part) => assistantBlocks(message, part));
    const failure = failureBlock(message);
    return failure === undefined ? blocks : [...blocks, failure];
  }

  /** Compaction summaries, in order. */
  #summaries(): string[] {
    return this.#ordered()
      .filter(({ data }) => data.role === 'assistant' && data.summary === true)
      .map(({ id }) =>
        this.#partsOf(id)
          .map(({ data }) => (data.type === 'text' ? (asString(data.text) ?? '') : ''))
          .join(''),
      );
  }

  #ordered(): StoredRecord[] {
    return [...this.#messages].map(([id, data]) => ({ id, data })).sort(byId);
  }

  #partsOf(messageId: string): StoredRecord[] {
    return [...(this.#parts.get(messageId) ?? [])].map(([id, data]) => ({ id, data })).sort(byId);
  }

  #addPart(part: JsonRecord): void {
    const messageId = asId(part.messageID) ?? '';
    const parts = this.#parts.get(messageId) ?? new Map<string, JsonRecord>();
    this.#parts.set(messageId, parts.set(this.#idOf(part), part));
    if (!PART_TYPES.has(part.type)) this.#skipped.kind(`part/${asString(part.type) ?? 'untyped'}`);
  }

  #idOf({ id }: JsonRecord): string {
    return asId(id) ?? `row:${this.#messages.size}:${this.#parts.size}`;
  }
}

const PART_TYPES: ReadonlySet<unknown> = new Set([
  'agent',
  'compaction',
  'file',
  'patch',
  'reasoning',
  'retry',
  'snapshot',
  'step-finish',
  'step-start',
  'subtask',
  'text',
  'tool',
]);

/** Ids begin with their creation time. */
function byId(one: StoredRecord, other: StoredRecord): number {
  return one.id < other.id ? -1 : Number(one.id > other.id);
}

function withSummaries(
  blocks: readonly ConversationBlock[],
  summaries: readonly string[],
): ConversationBlock[] {
  let next = 0;
  return blocks.map((block) => {
    if (block.type !== 'system' || block.metadata?.compaction === undefined) return block;
    const summary = summaries[next++];
    if (summary === undefined) return block;
    const compaction = { ...asRecord(block.metadata.compaction), summary };
    return { ...block, metadata: { ...block.metadata, compaction } };
  });
}

function toRequest({ id, data }: StoredRecord, thread: string): ModelRequest {
  const tokens = asRecord(data.tokens);
  const cache = asRecord(tokens.cache);
  const count = (value: unknown) => asNumber(value) ?? 0;
  const [inputTokens, outputTokens] = [count(tokens.input), count(tokens.output)];
  const [cacheReadTokens, cacheWriteTokens] = [count(cache.read), count(cache.write)];
  const thinkingTokens = count(tokens.reasoning);
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  const own = thread === 'main' ? 'turn' : 'subagent';
  return {
    ...requestIdentity({ id, data }),
    at: timeOf(data),
    model: asString(data.modelID),
    cause: data.summary === true ? 'compaction' : own,
    thread,
    usage: {
      inputTokens,
      outputTokens,
      cacheReadTokens,
      cacheWriteTokens,
      thinkingTokens,
      totalTokens: promptTokens + outputTokens + thinkingTokens,
    },
    promptTokens,
    costUSD: asNumber(data.cost),
  };
}

/**
 * A fork copies messages under new ids, so a request is known by what stays: its times, model and tokens. An id begins
 * with the time at which it was made, which tells the copy from the original.
 */
function requestIdentity({ id, data }: StoredRecord): { id: string; isCopy?: true } {
  const madeAt = /^msg_([0-9a-f]{9})[0-9a-f]{3}/.exec(id)?.[1];
  const { created, completed } = asRecord(data.time);
  if (madeAt === undefined || typeof created !== 'number') return { id };
  const { input, output, reasoning, cache } = asRecord(data.tokens);
  const { read, write } = asRecord(cache);
  const facts = [created, completed, data.providerID, data.modelID];
  const counts = [input, output, reasoning, read, write];
  // The id has the lowest 36 bits of the time, which repeat every two years.
  const later = (Number.parseInt(madeAt, 16) - (created % ID_TIME) + ID_TIME) % ID_TIME;
  const isCopy = later > COPY_MS && later < ID_TIME / 2;
  return { id: [...facts, ...counts].join('/'), ...(isCopy && { isCopy }) };
}

const ID_TIME = 2 ** 36;
/** Id and time of an original message are taken within milliseconds of each other. */
const COPY_MS = 1000;

/** The first call of each agent. */
function agentCalls(blocks: readonly ConversationBlock[]): ReadonlyMap<string, SubagentBlock> {
  const calls = new Map<string, SubagentBlock>();
  for (const block of blocks) {
    if (block.type === 'subagent' && !calls.has(block.subagentId))
      calls.set(block.subagentId, block);
  }
  return calls;
}

function withStartAndEnd(
  id: string,
  blocks: readonly ConversationBlock[],
  calls: ReadonlyMap<string, SubagentBlock>,
): SubagentThread {
  const call = calls.get(id);
  const key = call?.toolUseId ?? id;
  const timestamp = blocks[0]?.timestamp ?? new Date(0).toISOString();
  const named = call?.name === undefined ? 'Subagent' : `Subagent ${call.name}`;
  const started: ConversationBlock = {
    type: 'system',
    id: `subagent:${key}:started`,
    timestamp,
    subtype: 'session_start',
    message: `${named} started`,
  };
  const opened = [started, ...blocks];
  const hasEnded = call?.status === 'success' || call?.status === 'error';
  if (!hasEnded) return { id, blocks: opened, offsets: opened.map(() => -1) };
  const ended: ConversationBlock = {
    type: 'system',
    id: `subagent:${key}:completed`,
    timestamp: blocks.at(-1)?.timestamp ?? timestamp,
    subtype: 'session_end',
    message: call.status === 'success' ? 'Subagent completed' : 'Subagent failed',
  };
  const all = [...opened, ended];
  return { id, blocks: all, offsets: all.map(() => -1) };
}
