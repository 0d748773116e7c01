import type { ConversationBlock, SystemBlock } from '../../blocks.ts';
import type { SupersededBranch } from '../../parsed-transcript.ts';
import type { CallRegistry } from './call-registry.ts';
import {
  type GeminiMessage,
  requestedCall,
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
  /** For every message the place in `blocks` where its own begin; dropped messages have none. */
  readonly offsets: readonly number[];
  /** For each block the byte at which its line begins. */
  readonly bytes: readonly number[];
}

export interface AssemblySource {
  readonly entries: readonly LedgerEntry[];
  readonly calls: CallRegistry;
  readonly view: TranscriptView;
}

/** Puts the blocks of all messages in order, and what was dropped aside. */
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
    const aside = writer.writeAside(entries);
    if (aside.length > 0) superseded.push({ reason, afterBlockId, blocks: aside });
  }
  return { blocks, superseded, offsets, bytes };
}

class BlockWriter {
  blocks: ConversationBlock[] = [];
  bytes: number[] = [];
  /** The blocks of the messages that a compaction keeps. */
  readonly #written = new Map<LedgerEntry, readonly string[]>();
  readonly #kept: ReadonlySet<LedgerEntry>;
  readonly #source: AssemblySource;
  readonly #takenIds = new Set<string>();
  readonly #writtenCalls = new Set<string>();
  /** What each call has been answered so far. */
  readonly #answers = new Map<string, unknown[]>();
  readonly #firstResponses = new Map<string, ToolResponse>();
  /** Calls whose answer follows a later message of the model, by which they are placed. */
  readonly #deferred: ReadonlySet<string>;

  constructor(source: AssemblySource) {
    this.#source = source;
    this.#kept = new Set(source.entries.flatMap(({ kept }) => kept));
    for (const { message } of source.entries) {
      for (const response of message.responses) {
        if (!this.#firstResponses.has(response.callId)) {
          this.#firstResponses.set(response.callId, response);
        }
      }
    }
    this.#deferred = source.view === 'full' ? misplacedCalls(source.entries) : new Set();
  }

  /** Writes dropped messages to a list of their own. */
  writeAside(entries: readonly LedgerEntry[]): ConversationBlock[] {
    const { blocks, bytes } = this;
    const aside: ConversationBlock[] = [];
    this.blocks = aside;
    this.bytes = [];
    for (const entry of entries) this.write(entry);
    this.blocks = blocks;
    this.bytes = bytes;
    return aside;
  }

  write(entry: LedgerEntry): void {
    const { message, offset } = entry;
    const start = this.blocks.length;
    if (message.type === 'user') this.#writeUser(entry);
    else if (message.type === 'gemini') this.#writeModel(entry);
    else if (message.text !== '') this.#push(noticeBlock(message), offset);
    if (entry.lateCalls.length > 0) this.#writeCalls(entry.lateCalls, message.timestamp);
    if (!this.#kept.has(entry)) return;
    this.#written.set(
      entry,
      this.blocks.slice(start).map(({ id }) => id),
    );
  }

  #writeUser({ message, offset, kept }: LedgerEntry): void {
    const { id, timestamp, said, sent, snapshot, responses } = message;
    if (snapshot !== undefined) {
      const keptIds = kept.flatMap((entry) => this.#written.get(entry) ?? []);
      this.#push(compactionBlock({ id, timestamp, summary: snapshot, keptIds }), offset);
    }
    if (said !== undefined) {
      const block = { type: 'user_message', id, timestamp, content: said } as const;
      this.#push(sent === undefined ? block : { ...block, metadata: { sent } }, offset);
    }
    const unwritten = responses.map(({ callId }) => callId);
    this.#writeCalls(unwritten, timestamp);
    for (const response of responses) this.#writeAnswer(response, timestamp, offset);
  }

  #writeModel({ message, isAcknowledgement, movedCalls, offset }: LedgerEntry): void {
    const { id, timestamp, model, text } = message;
    if (isAcknowledgement) return;
    for (const [
      index,
      { subject, description, timestamp: thoughtAt },
    ] of message.thoughts.entries()) {
      const thought: ConversationBlock = {
        type: 'thinking',
        id: `${id}:thought:${index}`,
        timestamp: thoughtAt ?? timestamp,
        content: description,
        ...(subject === '' ? {} : { summary: subject }),
      };
      this.#push(thought, offset);
    }
    if (text !== '') {
      const block = { type: 'assistant_text', id, timestamp, content: text } as const;
      this.#push(model === undefined ? block : { ...block, model }, offset);
    }
    const own = message.calls.map((call) => call.id);
    this.#writeCalls(
      own.filter((callId) => !movedCalls.has(callId) && !this.#deferred.has(callId)),
      timestamp,
    );
  }

  /** All calls of a turn come first, then their results, as it happens. */
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

  /** An answer that says something new is shown; in the program's view every one that the model reads again is. */
  #writeAnswer(response: ToolResponse, timestamp: string, offset: number): void {
    const call = this.#callOf(response.callId);
    const answers = this.#answers.get(call.id) ?? [];
    this.#answers.set(call.id, [...answers, response.output]);
    if (answers.length === 0 || isAgentCall(call)) return;
    const isRepeated = answers.some((output) => isEqual(output, response.output));
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
    this.blocks.push(withFreeId(block, this.#takenIds));
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

function withFreeId(block: ConversationBlock, taken: Set<string>): ConversationBlock {
  let id = block.id;
  for (let copy = 2; taken.has(id); copy++) id = `${block.id}:${copy}`;
  taken.add(id);
  return id === block.id ? block : { ...block, id };
}

function isEqual(one: unknown, other: unknown): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}
