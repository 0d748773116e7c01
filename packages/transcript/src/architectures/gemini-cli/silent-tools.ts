import { setTimeout as wait } from 'node:timers/promises';
import type { ConversationBlock } from '../../blocks.ts';
import type { ConversationState } from '../../fold/conversation-state.ts';
import { asId, asRecord, type JsonRecord } from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { readTailBlocks } from '../read-tail-blocks.ts';
import { readTranscriptFile } from '../read-transcript-file.ts';
import { geminiTranscriptSource } from './transcript-source.ts';

/** Over ACP a tool's input and output are not told; the chat has both as soon as the tool is done. */
export class SilentTools {
  readonly #findChat: () => Promise<string | undefined>;
  readonly #done = new Set<string>();

  constructor(findChat: () => Promise<string | undefined>) {
    this.#findChat = findChat;
  }

  /** Takes down which tools are done. */
  note(message: JsonRecord): void {
    const { sessionUpdate, status, toolCallId } = updateOf(message);
    const id = asId(toolCallId);
    const isCall = sessionUpdate === 'tool_call' || sessionUpdate === 'tool_call_update';
    if (isCall && id !== undefined && (status === 'completed' || status === 'failed')) {
      this.#done.add(id);
    }
  }

  /** Whether the model goes on, so that what its tools answered is known by now. */
  isDue(message: JsonRecord): boolean {
    if (this.#done.size === 0) return false;
    const { sessionUpdate, toolCallId } = updateOf(message);
    if (sessionUpdate === 'agent_message_chunk' || sessionUpdate === 'agent_thought_chunk') {
      return true;
    }
    const isNewCall = sessionUpdate === 'tool_call' && !this.#done.has(asId(toolCallId) ?? '');
    return isNewCall || asRecord(message.result).stopReason !== undefined;
  }

  /** The calls and results as the chat has them; what it does not have within a moment, the end of the turn adds. */
  async complete(shown: ConversationState): Promise<StreamEvent[]> {
    const events: StreamEvent[] = [];
    for (let looks = 0; looks < MOST_LOOKS && this.#done.size > 0; looks++) {
      if (looks > 0) await wait(LOOK_AGAIN_MS);
      const blocks = await this.#readChat();
      for (const id of this.#done) {
        const found = blocks.filter((block) => isOf(block, id));
        if (!found.some(({ type }) => type !== 'tool_use')) continue;
        this.#done.delete(id);
        events.push(...found.map((block) => toldAs(block, shown)));
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

function isOf(block: ConversationBlock, toolUseId: string): boolean {
  return 'toolUseId' in block && block.toolUseId === toolUseId;
}

/** A block that was shown keeps what only the live protocol tells about it. */
function toldAs(block: ConversationBlock, { blocks }: ConversationState): StreamEvent {
  const shown = blocks.find(({ id }) => id === block.id);
  const metadata = { ...shown?.metadata, ...block.metadata };
  const { argumentsLost: _lost, ...known } = metadata;
  const told = Object.keys(known).length === 0 ? block : { ...block, metadata: known };
  return { type: 'block_complete', blockId: told.id, block: told, conversationId: 'main' };
}

const TAIL_BLOCKS = 20;
const MOST_LOOKS = 15;
const LOOK_AGAIN_MS = 15;
