import { setTimeout as wait } from 'node:timers/promises';
import type { ConversationBlock } from '../../blocks.ts';
import type { ConversationState } from '../../fold/conversation-state.ts';
import { asId, asRecord, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { readTailBlocks } from '../read-tail-blocks.ts';
import { readTranscriptFile } from '../read-transcript-file.ts';
import { geminiTranscriptSource } from './transcript-source.ts';

/** Adds inputs and outputs of tools, which ACP does not report, from the chat file. */
export class ToolDetails {
  readonly #findChat: () => Promise<string | undefined>;
  readonly #done = new Set<string>();

  constructor(findChat: () => Promise<string | undefined>) {
    this.#findChat = findChat;
  }

  /** Records finished tools. */
  read(message: JsonRecord): void {
    const { sessionUpdate, status, toolCallId } = updateOf(message);
    const id = asId(toolCallId);
    const isCall = sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';
    if (isCall && id !== undefined && (status === 'completed' || status === 'failed')) {
      this.#done.add(id);
    }
  }

  /** Whether the model continues, so that results of finished tools are available. */
  isDue(message: JsonRecord): boolean {
    if (this.#done.size === 0) return false;
    const { sessionUpdate, toolCallId } = updateOf(message);
    if (sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'agent_thought_chunk') {
      return true;
    }
    const isNewCall = sessionUpdate === 'tool_call' && !this.#done.has(asId(toolCallId) ?? '');
    return isNewCall || asRecord(message.result).stopReason !== undefined;
  }

  /** Reads calls and results from the chat; what is not there after a short wait is added at the end of the turn. */
  async complete(shown: ConversationState): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    for (let attempts = 0; attempts < MAX_ATTEMPTS && this.#done.size > 0; attempts++) {
      if (attempts > 0) await wait(RETRY_DELAY_MS);
      const blocks = await this.#readChat();
      for (const id of this.#done) {
        const found = blocks.filter((block) => belongsTo(block, id));
        if (!found.some(({ type }) => type !== 'tool_use')) continue;
        this.#done.delete(id);
        events.push(...found.map((block) => toEvent(block, shown)));
      }
    }
    this.#done.clear();
    return events;
  }

  async #readChat(): Promise<readonly ConversationBlock[]> {
    const path = await this.#findChat();
    if (path === undefined) return [];
    const tail = await readTailBlocks(geminiTranscriptSource, path, TAIL_BLOCKS);
    return tail ?? (await readTranscriptFile(geminiTranscriptSource, path)).blocks;
  }
}

function updateOf(message: JsonRecord): JsonRecord {
  return asRecord(asRecord(message.params).update);
}

function belongsTo(block: ConversationBlock, toolUseId: string): boolean {
  return 'toolUseId' in block && block.toolUseId === toolUseId;
}

/** Keeps metadata that only the live protocol reports. */
function toEvent(block: ConversationBlock, { blocks }: ConversationState): StreamEvent {
  const shown = blocks.find(({ id }) => id === block.id);
  const metadata = { ...shown?.metadata, ...block.metadata };
  const { argumentsLost: _lost, ...known } = metadata;
  const merged = Object.keys(known).length === 0 ? block : { ...block, metadata: known };
  return { type: 'block_complete', blockId: merged.id, block: merged, conversationId: 'main' };
}

const TAIL_BLOCKS = 20;
const MAX_ATTEMPTS = 15;
const RETRY_DELAY_MS = 15;
