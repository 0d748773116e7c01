import type { ConversationBlock, ToolResultBlock } from '../../blocks.ts';
import { asId, asNumber, asRecord, asString, compact, type JsonRecord } from '../../json-record.ts';
import { type ModelRequest, mergeRequests } from '../../model-request.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript, SupersededBranch } from '../../parsed-transcript.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import { SkipCounter } from '../../skip-counter.ts';
import { sumUsage } from '../../token-usage.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';
import { UniqueIds } from '../../unique-ids.ts';
import { ENTRY_TYPES, entryBlocks } from './entry-blocks.ts';
import { readSessionTree, type TreeEntry, toTreeEntry } from './session-tree.ts';

/** Reads pi sessions: one entry per line; entries form a tree since 0.31. */
export const piTranscriptParser: TranscriptParser = { start: () => new PiTranscriptReader() };

class PiTranscriptReader implements TranscriptReader {
  readonly #ids = new Set<string>();
  readonly #skipped = new SkipCounter();
  readonly #entries: TreeEntry[] = [];
  #header: JsonRecord = {};
  #title: string | undefined;

  line(text: string, offset = -1): void {
    const record = parseLine(text);
    if (record === 'blank') return;
    if (record === 'unreadable') {
      this.#skipped.line();
      return;
    }
    if (!ENTRY_TYPES.has(record.type)) this.#skipped.kind(asString(record.type) ?? 'untyped');
    if (record.type === 'session') {
      this.#header = record;
      return;
    }
    if (record.type === 'session_info') this.#title = asString(record.name) ?? this.#title;
    const place = { index: this.#entries.length, offset, before: this.#entries.at(-1) };
    const entry = toTreeEntry(record, place);
    // A repeated id is a copy of the same line.
    if (this.#ids.size === this.#ids.add(entry.id).size) return;
    this.#entries.push(entry);
  }

  /** pi has no subagents. */
  subagent(): SubagentReader {
    return { line: () => this.#skipped.kind('subagent') };
  }

  end(): ParsedTranscript {
    const { path, branches } = readSessionTree(this.#entries);
    const ids = new UniqueIds();
    const main = assemble(path, ids);
    const lastBlocks = lastBlockAfter(path, main);
    const superseded = [...branches].flatMap(([after, entries]): SupersededBranch[] => {
      const { blocks } = assemble(entries, ids);
      const afterBlockId = after === undefined ? null : (lastBlocks.get(after) ?? null);
      return blocks.length === 0 ? [] : [{ reason: 'rewind', afterBlockId, blocks }];
    });
    // Several entries can name one response.
    const requests = mergeRequests([this.#requests()]);
    return {
      blocks: main.blocks,
      subagents: [],
      superseded,
      skipped: this.#skipped.total(),
      metadata: this.#metadata(path, requests),
      offsets: main.offsets,
      requests,
    };
  }

  #metadata(path: readonly TreeEntry[], requests: readonly ModelRequest[]): SessionMetadata {
    const paid = requests.filter(({ isCopy }) => isCopy !== true);
    const costs = paid.map(({ costUSD }) => costUSD ?? 0);
    const models = path.map(({ record }) => modelOf(record)).filter((model) => model !== undefined);
    return compact({
      sessionId: asId(this.#header.id),
      cwd: asString(this.#header.cwd),
      startedAt: asString(this.#header.timestamp),
      forkedFrom: sessionIdIn(asString(this.#header.parentSession)),
      title: this.#title,
      model: models.at(-1),
      usage: paid.length === 0 ? undefined : sumUsage(paid.map(({ usage }) => usage)),
      costUSD: paid.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    });
  }

  /** A fork begins with the entries of its parent, which are older than its header. */
  #requests(): ModelRequest[] {
    const startedAt = asString(this.#header.timestamp) ?? '';
    const isFork = this.#header.parentSession !== undefined;
    return this.#entries.flatMap(({ id, timestamp, record }) => {
      const message = asRecord(record.message);
      if (message.role !== 'assistant' || message.usage === undefined) return [];
      const isCopy = isFork && timestamp < startedAt;
      return [toRequest(asId(message.responseId) ?? id, timestamp, { message, isCopy })];
    });
  }
}

/** A fork names the file of its parent, `<time>_<id>.jsonl`. */
function sessionIdIn(path: string | undefined): string | undefined {
  return path === undefined ? undefined : (/_([^_/\\]+)\.jsonl$/.exec(path)?.[1] ?? path);
}

function toRequest(
  id: string,
  at: string,
  { message, isCopy }: { readonly message: JsonRecord; readonly isCopy: boolean },
): ModelRequest {
  const given = asRecord(message.usage);
  const count = (name: string) => asNumber(given[name]) ?? 0;
  const [inputTokens, outputTokens] = [count('input'), count('output')];
  const [cacheReadTokens, cacheWriteTokens] = [count('cacheRead'), count('cacheWrite')];
  const promptTokens = inputTokens + cacheReadTokens + cacheWriteTokens;
  const totalTokens = asNumber(given.totalTokens) ?? promptTokens + outputTokens;
  return compact({
    id,
    at,
    model: asString(message.model),
    cause: 'turn' as const,
    thread: 'main',
    usage: { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, totalTokens },
    promptTokens,
    costUSD: asNumber(asRecord(given.cost).total),
    isCopy: isCopy ? (true as const) : undefined,
  }) as ModelRequest;
}

function modelOf(record: JsonRecord): string | undefined {
  if (record.type === 'model_change') return asString(record.modelId);
  const message = asRecord(record.message);
  return message.role === 'assistant' ? asString(message.model) : undefined;
}

interface Assembly {
  readonly blocks: readonly ConversationBlock[];
  readonly offsets: readonly number[];
  /** For each entry the id of its last block, if it has one. */
  readonly last: ReadonlyMap<TreeEntry, string>;
}

/** Joins calls with their results and compactions with the blocks they keep. */
function assemble(entries: readonly TreeEntry[], ids: UniqueIds): Assembly {
  const blocks: ConversationBlock[] = [];
  const offsets: number[] = [];
  const calls = new Map<string, number>();
  const answers = new Map<string, ToolResultBlock>();
  const first = new Map<string, number>();
  const last = new Map<TreeEntry, string>();
  for (const entry of entries) {
    first.set(entry.id, blocks.length);
    for (const made of entryBlocks(entry.record, { id: entry.id, timestamp: entry.timestamp })) {
      const block = ids.assign(withKept(made, entry, { blocks, first }));
      if (block.type === 'tool_use') calls.set(block.toolUseId, blocks.length);
      if (block.type === 'tool_result') answers.set(block.toolUseId, block);
      blocks.push(block);
      offsets.push(entry.offset);
      last.set(entry, block.id);
    }
  }
  for (const result of answers.values()) settleCall(blocks, calls.get(result.toolUseId), result);
  return { blocks, offsets, last };
}

function settleCall(
  blocks: ConversationBlock[],
  index: number | undefined,
  { isError }: ToolResultBlock,
): void {
  const call = index === undefined ? undefined : blocks[index];
  if (index === undefined || call?.type !== 'tool_use') return;
  blocks[index] = { ...call, status: isError ? 'error' : 'success' };
}

function withKept(
  block: ConversationBlock,
  { record }: TreeEntry,
  known: {
    readonly blocks: readonly ConversationBlock[];
    readonly first: ReadonlyMap<string, number>;
  },
): ConversationBlock {
  const from = known.first.get(asId(record.firstKeptEntryId) ?? '');
  if (record.type !== 'compaction' || from === undefined) return block;
  const keptBlockIds = known.blocks.slice(from).map(({ id }) => id);
  const compaction = { ...(block.metadata?.compaction as object), keptBlockIds };
  return { ...block, metadata: { compaction } };
}

/** For every entry of the path the last block up to it. */
function lastBlockAfter(
  path: readonly TreeEntry[],
  { last }: Assembly,
): ReadonlyMap<TreeEntry, string> {
  const found = new Map<TreeEntry, string>();
  let latest: string | undefined;
  for (const entry of path) {
    latest = last.get(entry) ?? latest;
    if (latest !== undefined) found.set(entry, latest);
  }
  return found;
}
