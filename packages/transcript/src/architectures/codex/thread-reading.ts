import type { ConversationBlock } from '../../blocks.ts';
import { asNumber, type JsonRecord } from '../../json-record.ts';
import type { SupersededBranch } from '../../parsed-transcript.ts';
import { AgentCalls } from './agent-calls.ts';
import { BlockSequence, type Settlement } from './block-sequence.ts';
import { ModelMessages } from './model-messages.ts';
import { readEvent } from './read-event.ts';
import { readResponseItem } from './read-response-item.ts';
import { type RecordPlace, RecordPlaces } from './record-place.ts';
import { type RolloutLine, SILENT_LINES, toRolloutLine } from './rollout-line.ts';
import { SessionFacts } from './session-facts.ts';
import { ThreadNotices } from './thread-notices.ts';
import type { OnSkipped, ThreadParts } from './thread-parts.ts';
import { ToolLedger } from './tool-ledger.ts';
import { UserMessages } from './user-messages.ts';

/** Reads the lines of one rollout file into the blocks of its thread. */
export class ThreadReading {
  readonly #parts: ThreadParts;
  readonly #places = new RecordPlaces();
  readonly #rolledBack: { readonly from: number; readonly blocks: ConversationBlock[] }[] = [];
  #isPaginated = false;
  #hasLines = false;

  constructor(onSkipped: OnSkipped) {
    const blocks = new BlockSequence();
    const messages = new ModelMessages(blocks);
    this.#parts = {
      blocks,
      messages,
      facts: new SessionFacts(),
      users: new UserMessages(blocks),
      tools: new ToolLedger(blocks),
      agents: new AgentCalls(blocks),
      notices: new ThreadNotices(blocks, messages),
      onSkipped,
    };
  }

  get parts(): ThreadParts {
    return this.#parts;
  }

  get isEmpty(): boolean {
    return !this.#hasLines;
  }

  /** The time of the last line. */
  get timestamp(): string {
    return this.#places.timestamp;
  }

  /** Turns that were rolled back. The block before them is found last, because later lines can rename or withdraw it. */
  get superseded(): readonly SupersededBranch[] {
    if (this.#rolledBack.length === 0) return NONE_SUPERSEDED;
    const settlement = this.settlement();
    return this.#rolledBack.map(({ from, blocks }) => ({
      reason: 'rewind',
      afterBlockId: this.#parts.blocks.idBefore(from, settlement),
      blocks,
    }));
  }

  add(record: JsonRecord, offset = -1): RolloutLine {
    const line = toRolloutLine(record);
    const at = this.#places.next(line);
    this.#parts.blocks.offset = offset;
    this.#hasLines = true;
    if (line.ordinal !== undefined) this.#isPaginated = true;
    if (!this.#isCopied(line)) this.#read(line, at);
    return line;
  }

  /** Final changes for open records, if no more lines come. */
  settlement(): Settlement {
    const { users, tools } = this.#parts;
    return {
      removed: users.unconfirmed(),
      replaced: this.#isPaginated ? tools.failedCommands() : new Map(),
    };
  }

  #read({ type, payload, isBare }: RolloutLine, at: RecordPlace): void {
    const { facts, notices, onSkipped } = this.#parts;
    switch (type) {
      case 'session_meta':
        facts.readMeta(payload);
        break;
      case 'turn_context':
        facts.readContext(payload);
        break;
      case 'token_usage_record':
        facts.readUsageRecord(payload, at);
        break;
      case 'compacted':
        facts.compacted();
        notices.compacted(payload, at);
        break;
      case 'response_item':
        readResponseItem(this.#parts, payload, at);
        break;
      case 'event_msg':
        if (payload.type === 'thread_rolled_back') this.#rollBack(payload);
        else readEvent(this.#parts, payload, at);
        break;
      default:
        if (!SILENT_LINES.has(type)) onSkipped(isBare ? `bare/${type}` : type);
    }
  }

  /** A subagent of the second tool set begins with a copy of its parent's lines. */
  #isCopied({ ordinal }: RolloutLine): boolean {
    const start = asNumber(this.#parts.facts.meta.subagent_history_start_ordinal);
    return start !== undefined && ordinal !== undefined && ordinal < start;
  }

  /** The last turns were rolled back; their blocks are superseded. */
  #rollBack(payload: JsonRecord): void {
    const { blocks } = this.#parts;
    let start: number | undefined = blocks.length;
    for (let turns = asNumber(payload.num_turns) ?? 1; turns > 0 && start !== undefined; turns--) {
      const end: number = start;
      start = blocks.findLast((block) => block.type === 'user_message', 0, end);
    }
    const from = start ?? 0;
    const removed = blocks.cutFrom(from);
    if (removed.length > 0) this.#rolledBack.push({ from, blocks: removed });
  }
}

const NONE_SUPERSEDED: readonly SupersededBranch[] = [];
