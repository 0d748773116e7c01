import type { ConversationBlock, SystemBlock } from '../../blocks.ts';
import type { SupersededBranch } from '../../parsed-transcript.ts';
import { UniqueIds } from '../../unique-ids.ts';
import type { CallRegistry } from './call-registry.ts';
import {
  type GeminiMessage,
  requestedCall,
  type Thought,
  type ToolCall,
  type ToolResponse,
} from './gemini-message.ts';
import type { Drop, LedgerEntry, TranscriptView } from './message-ledger.ts';
import { misplacedCalls } from './misplaced-calls.ts';
import { isAgentCall, subagentBlock } from './subagent-block.ts';
import { repeatedResult, toolResultBlock, toolUseBlock } from './tool-blocks.ts';

export interface Assembly {
  readonly blocks: ConversationBlock[];
  readonly superseded: readonly SupersededBranch[];
  /** For every message the index of its first block; dropped messages have none of their own. */
  readonly offsets: readonly number[];
  /** For each block the byte offset of its line. */
  readonly bytes: readonly number[];
}

export interface AssemblySource {
  readonly entries: readonly LedgerEntry[];
  readonly calls: CallRegistry;
  readonly view: TranscriptView;
}

/** Assembles the blocks of all messages in order; dropped messages become superseded branches. */
export function assembleBlocks(source: AssemblySource): Assembly {
  const writer = new BlockWriter(source);
  const branches = new Map<Drop, { afterBlockId: string | null; entries: LedgerEntry[] }>();
  const offsets: number[] = [];
  for (const entry of source.entries) {
    offsets.push(writer.blocks.length);
    const { dropped } = entry;
    if (dropped === undefined) {
      writer.write(entry);
      continue;
    }
    const branch = branches.get(dropped) ?? {
      afterBlockId: writer.blocks.at(-1)?.id ?? null,
      entries: [],
    };
    branch.entries.push(entry);
    branches.set(dropped, branch);
  }
  const { blocks, bytes } = writer;
  const superseded: SupersededBranch[] = [];
  for (const [{ reason }, { afterBlockId, entries }] of branches) {
    const dropped = writer.writeDropped(entries);
    if (dropped.length > 0) superseded.push({ reason, afterBlockId, blocks: dropped });
  }
  return { blocks, superseded, offsets, bytes };
}

class BlockWriter {
  blocks: ConversationBlock[] = [];
  bytes: number[] = [];
  /** Block ids of the messages that a compaction keeps. */
  readonly #written = new Map<LedgerEntry, readonly string[]>();
  readonly #kept: ReadonlySet<LedgerEntry>;
  readonly #source: AssemblySource;
  readonly #ids = new UniqueIds();
  readonly #writtenCalls = new Set<string>();
  /** Outputs of each call so far. */
  readonly #answers = new Map<string, Answers>();
  readonly #firstResponses = new Map<string, ToolResponse>();
  /** Calls whose result follows a later model message, which determines their position. */
  readonly #deferred: ReadonlySet<string>;

  constructor(source: AssemblySource) {
    this.#source = source;
    const all = new Set<LedgerEntry>();
    for (const { message, kept } of source.entries) {
      for (const each of kept) all.add(each);
      for (const response of message.responses) {
        if (!this.#firstResponses.has(response.callId)) {
          this.#firstResponses.set(response.callId, response);
        }
      }
    }
    this.#kept = all;
    this.#deferred = source.view === 'full' ? misplacedCalls(source.entries) : new Set();
  }

  /** Writes dropped messages to a separate list. */
  writeDropped(entries: readonly LedgerEntry[]): ConversationBlock[] {
    const { blocks, bytes } = this;
    const dropped: ConversationBlock[] = [];
    this.blocks = dropped;
    this.bytes = [];
    for (const entry of entries) this.write(entry);
    this.blocks = blocks;
    this.bytes = bytes;
    return dropped;
  }

  write(entry: LedgerEntry): void {
    const { message, offset } = entry;
    const start = this.blocks.length;
    if (message.type === 'user') this.#writeUser(entry);
    else if (message.type === 'gemini') this.#writeModel(entry);
    else if (message.text !== '') this.#push(noticeBlock(message), offset);
    if (entry.lateCalls.size > 0) this.#writeCalls([...entry.lateCalls], message.timestamp);
    if (!this.#kept.has(entry)) return;
    this.#written.set(
      entry,
      this.blocks.slice(start).map(({ id }) => id),
    );
  }

  #writeUser({ message, offset, kept }: LedgerEntry): void {
    const { id, timestamp, userContent, sent, snapshot, responses } = message;
    if (snapshot !== undefined) {
      const keptIds = kept.flatMap((entry) => this.#written.get(entry) ?? []);
      this.#push(compactionBlock({ id, timestamp, summary: snapshot, keptIds }), offset);
    }
    if (userContent !== undefined) {
      const block = { type: 'user_message', id, timestamp, content: userContent } as const;
      this.#push(sent === undefined ? block : { ...block, metadata: { sent } }, offset);
    }
    if (responses.length === 0) return;
    const unwritten = responses.map(({ callId }) => callId);
    this.#writeCalls(unwritten, timestamp);
    for (const response of responses) this.#writeAnswer(response, timestamp, offset);
  }

  #writeModel({ message, calls, isAcknowledgement, movedCalls, offset }: LedgerEntry): void {
    const { id, timestamp, model, text } = message;
    if (isAcknowledgement) return;
    let index = 0;
    for (const thought of message.thoughts) {
      this.#push(thoughtBlock(thought, `${id}:thought:${index++}`, timestamp), offset);
    }
    if (text !== '') {
      const block = { type: 'assistant_text', id, timestamp, content: text } as const;
      this.#push(model === undefined ? block : { ...block, model }, offset);
    }
    if (calls.size === 0) return;
    const own = [...calls].filter((each) => !movedCalls.has(each) && !this.#deferred.has(each));
    this.#writeCalls(own, timestamp);
  }

  /** All calls of a turn first, then their results. */
  #writeCalls(ids: readonly string[], timestamp: string): void {
    const fresh = ids.filter((id) => !this.#writtenCalls.has(id));
    if (fresh.length === 0) return;
    const calls = [...new Set(fresh)].map((id) => this.#callOf(id));
    for (const call of calls) {
      this.#writtenCalls.add(call.id);
      const response = this.#responseOf(call);
      const make = isAgentCall(call) ? subagentBlock : toolUseBlock;
      this.#push(make(call, response, timestamp), this.#source.calls.callOffset(call.id));
    }
    for (const call of calls) {
      const result = toolResultBlock(call, this.#responseOf(call), timestamp);
      if (result === undefined || isAgentCall(call)) continue;
      this.#push(result, this.#source.calls.answerOffset(call.id));
    }
  }

  /** Shows further results of a call: only different ones in the full view, all of them in the program's view. */
  #writeAnswer(response: ToolResponse, timestamp: string, offset: number): void {
    const call = this.#callOf(response.callId);
    const answers = this.#answers.get(call.id);
    if (answers === undefined) {
      this.#answers.set(call.id, new Answers(response.output));
      return;
    }
    if (isAgentCall(call)) return;
    const isRepeated = !answers.add(response.output);
    if (isRepeated && this.#source.view === 'full') return;
    this.#push(repeatedResult(response, timestamp), offset);
  }

  #callOf(id: string): ToolCall {
    return this.#source.calls.get(id) ?? this.#unrecorded(id);
  }

  #unrecorded(id: string): ToolCall {
    return requestedCall(id, this.#firstResponses.get(id)?.name ?? 'unknown', undefined);
  }

  #responseOf(call: ToolCall): ToolResponse | undefined {
    return call.response ?? this.#firstResponses.get(call.id);
  }

  #push(block: ConversationBlock, offset: number): void {
    this.blocks.push(this.#ids.assign(block));
    this.bytes.push(offset);
  }
}

function compactionBlock(compacted: {
  readonly id: string;
  readonly timestamp: string;
  readonly summary: string;
  readonly keptIds: readonly string[];
}): SystemBlock {
  const { id, timestamp, summary, keptIds } = compacted;
  const compaction = keptIds.length === 0 ? { summary } : { summary, keptBlockIds: keptIds };
  return {
    type: 'system',
    id,
    timestamp,
    subtype: 'status',
    message: 'Conversation compacted',
    metadata: { compaction },
  };
}

function noticeBlock({ id, timestamp, type, text }: GeminiMessage): SystemBlock {
  const subtype = type === 'error' ? 'error' : 'status';
  return { type: 'system', id, timestamp, subtype, message: text, metadata: { level: type } };
}

function thoughtBlock(
  { subject, description, timestamp }: Thought,
  id: string,
  messageAt: string,
): ConversationBlock {
  const type = 'thinking' as const;
  const at = timestamp ?? messageAt;
  return subject === ''
    ? { type, id, timestamp: at, content: description }
    : { type, id, timestamp: at, content: description, summary: subject };
}

/** The different results of one call; most calls have one. */
class Answers {
  readonly #first: unknown;
  #texts: Set<string> | undefined;

  constructor(first: unknown) {
    this.#first = first;
  }

  /** Whether the result was new. */
  add(output: unknown): boolean {
    if (output === this.#first) return false;
    this.#texts ??= new Set([JSON.stringify(this.#first) ?? '']);
    const known = this.#texts.size;
    return this.#texts.add(JSON.stringify(output) ?? '').size > known;
  }
}
