import type { ConversationBlock, SystemBlock, SystemSubtype } from '../../blocks.ts';
import {
  asArray,
  asId,
  asNumber,
  asRecord,
  asString,
  compact,
  type JsonRecord,
} from '../../json-record.ts';
import type { BlockSequence } from './block-sequence.ts';
import { plainText, textOf } from './message-content.ts';
import type { ModelMessages } from './model-messages.ts';
import type { RecordPlace } from './record-place.ts';

export type CodexTurnEnd = 'completed' | 'failed' | 'aborted';

/** Notices of the program: compactions, errors, interrupted turns, modes. */
export class ThreadNotices {
  readonly #blocks: BlockSequence;
  readonly #messages: ModelMessages;
  #turnStart = 0;
  /** A compaction of which one of two records has been read. */
  #compaction: { readonly place: number; readonly seen: 'record' | 'item' } | undefined;
  #failedTurn: string | undefined;
  /** How the last turn ended, and its last message. */
  lastEnd: CodexTurnEnd | undefined;
  lastMessage: string | undefined;

  constructor(blocks: BlockSequence, messages: ModelMessages) {
    this.#blocks = blocks;
    this.#messages = messages;
  }

  startTurn(): void {
    this.#turnStart = this.#blocks.length;
    this.lastEnd = undefined;
  }

  /** The record with the summary; an item or event about the same compaction is close to it. */
  compacted(payload: JsonRecord, at: RecordPlace): void {
    const summary = asString(payload.message) ?? '';
    this.#messages.removeSummary(summary, this.#turnStart);
    const compaction = compact({
      summary: summary === '' ? undefined : summary,
      keptMessages: Array.isArray(payload.replacement_history)
        ? asArray(payload.replacement_history).length
        : undefined,
      windowNumber: asNumber(payload.window_number),
      keptBlockIds: keptBlocks(this.#blocks, asArray(payload.replacement_history)),
    });
    const shown = this.#compaction?.seen === 'item' ? this.#compaction.place : undefined;
    const block = shown === undefined ? undefined : this.#blocks.get(shown);
    if (shown !== undefined && block !== undefined) {
      this.#blocks.set(shown, { ...block, metadata: { compaction } });
      this.#compaction = undefined;
      return;
    }
    const place = this.#blocks.push(
      compactionBlock(at.ownId(), at.timestamp, compaction),
      at.ordinal,
    );
    this.#compaction = { place, seen: 'record' };
  }

  /** The item (since 0.148, with an id) or event that shows the compaction. */
  compactionShown(id: string | undefined, at: RecordPlace): void {
    const shown = this.#compaction?.seen === 'record' ? this.#compaction.place : undefined;
    this.#compaction = undefined;
    const block = shown === undefined ? undefined : this.#blocks.get(shown);
    if (shown !== undefined && block !== undefined) {
      if (id !== undefined) this.#blocks.set(shown, { ...block, id });
      return;
    }
    const place = this.#blocks.push(
      compactionBlock(id ?? at.ownId(), at.timestamp, {}),
      at.ordinal,
    );
    this.#compaction = { place, seen: 'item' };
  }

  /** One block per error, although the event and the end of the turn both report it. */
  failed(turnId: string | undefined, error: JsonRecord, at: RecordPlace): void {
    const message = asString(error.message) ?? 'The turn failed';
    const key = `${turnId ?? ''}/${message}`;
    if (this.#failedTurn === key) return;
    this.#failedTurn = key;
    const code = error.codex_error_info ?? undefined;
    const metadata = code === undefined ? undefined : { error: code };
    const id = turnId === undefined ? at.ownId() : `${turnId}:error`;
    this.#push({ id, subtype: 'error', message, metadata }, at);
  }

  aborted(turnId: string | undefined, reason: string | undefined, at: RecordPlace): void {
    const id = turnId === undefined ? at.ownId() : `${turnId}:aborted`;
    const metadata = { reason: reason ?? 'interrupted' };
    this.#push({ id, subtype: 'status', message: abortMessage(reason), metadata }, at);
  }

  add(
    notice: {
      readonly id?: string | undefined;
      readonly subtype: SystemSubtype;
      readonly message: string;
      readonly metadata?: Readonly<Record<string, unknown>> | undefined;
    },
    at: RecordPlace,
  ): void {
    this.#push({ ...notice, id: notice.id ?? at.ownId() }, at);
  }

  #push(
    notice: Omit<SystemBlock, 'type' | 'timestamp' | 'metadata'> & Facts,
    at: RecordPlace,
  ): void {
    const block = compact({ type: 'system' as const, timestamp: at.timestamp, ...notice });
    this.#blocks.push(block, at.ordinal);
  }
}

/** Ids of the blocks in the replacement history, which refers to calls by id and repeats texts. */
function keptBlocks(blocks: BlockSequence, history: readonly unknown[]): string[] | undefined {
  let end = blocks.length;
  const kept = history.toReversed().flatMap((value) => {
    const place = blocks.findLast(isBlockOf(asRecord(value)), 0, end);
    if (place === undefined) return [];
    end = place;
    return [blocks.get(place)?.id ?? ''];
  });
  return kept.length === 0 ? undefined : kept.reverse();
}

function isBlockOf(item: JsonRecord): (block: ConversationBlock) => boolean {
  const callId = asId(item.call_id);
  const isOutput = asString(item.type)?.endsWith('_output') === true;
  const text = item.type === 'message' ? textOf(item.content) : undefined;
  return (block) => {
    if (block.type === 'tool_use') return !isOutput && block.toolUseId === callId;
    if (block.type === 'tool_result') return isOutput && block.toolUseId === callId;
    if (text === undefined || text === '') return false;
    if (block.type === 'user_message') {
      return item.role === 'user' && plainText(block.content) === text;
    }
    return block.type === 'assistant_text' && item.role === 'assistant' && block.content === text;
  };
}

interface Facts {
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export function abortMessage(reason: string | undefined): string {
  return reason === undefined || reason === 'interrupted'
    ? 'Turn interrupted'
    : `Turn ended: ${reason.replaceAll('_', ' ')}`;
}

export function compactionBlock(
  id: string,
  timestamp: string,
  compaction: Readonly<Record<string, unknown>>,
): SystemBlock {
  return {
    type: 'system',
    id,
    timestamp,
    subtype: 'status',
    message: 'Conversation compacted',
    metadata: { compaction },
  };
}
