import type {
  AssistantTextBlock,
  ConversationBlock,
  SubagentBlock,
  SystemSubtype,
  ToolResultBlock,
  ToolUseBlock,
} from '../../blocks.ts';
import { compact, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import type { BlockUpdates, StreamEvent } from '../../stream-events.ts';
import type { ToolCall } from './gemini-message.ts';
import { isAgentCall, subagentBlock } from './subagent-block.ts';
import { resultId, toolUseBlock } from './tool-blocks.ts';

/** The live state of a conversation, for both of the program's protocols. */
export class LiveConversation {
  readonly #now: () => string;
  readonly #calls = new Map<string, ToolUseBlock | SubagentBlock>();
  readonly #waiting = new Set<string>();
  #text: AssistantTextBlock | undefined;
  /** Blank text is held back: the program does not store it, so a blank block must not appear. */
  #blank = '';
  #count = 0;
  #model: string | undefined;

  constructor(now: () => string) {
    this.#now = now;
  }

  metadata(metadata: SessionMetadata): StreamEvent[] {
    this.#model = metadata.model ?? this.#model;
    const isEmpty = Object.keys(metadata).length === 0;
    return isEmpty ? [] : [{ type: 'metadata_update', metadata, conversationId: MAIN }];
  }

  appendText(delta: string, timestamp = this.#now()): StreamEvent[] {
    const text = this.#blank + delta;
    if (this.#text === undefined) {
      this.#blank = text;
      if (text.trim() === '') return [];
      this.#blank = '';
      const block: AssistantTextBlock = compact({
        type: 'assistant_text' as const,
        id: this.#newId(),
        timestamp,
        content: '',
        model: this.#model,
      });
      this.#text = { ...block, content: text };
      return [{ type: 'block_start', block, conversationId: MAIN }, textDelta(block.id, text)];
    }
    this.#text = { ...this.#text, content: this.#text.content + delta };
    return [textDelta(this.#text.id, delta)];
  }

  /** The program stores trimmed text, so the final block is trimmed too. */
  closeText(): StreamEvent[] {
    const open = this.#text;
    this.#text = undefined;
    this.#blank = '';
    return open === undefined ? [] : [complete({ ...open, content: open.content.trim() })];
  }

  /** Adds a complete block; its id is a counter, because the program assigns none. */
  addBlock(block: BlockContent, timestamp = this.#now()): StreamEvent[] {
    const added = { ...block, id: this.#newId(), timestamp } as ConversationBlock;
    return [...this.closeText(), complete(added)];
  }

  notice(
    subtype: SystemSubtype,
    message: string,
    fields: { timestamp?: string | undefined; metadata?: JsonRecord } = {},
  ): StreamEvent[] {
    const { timestamp, metadata } = fields;
    return this.addBlock(
      compact({ type: 'system' as const, subtype, message, metadata }),
      timestamp,
    );
  }

  hasCall(id: string): boolean {
    return this.#calls.has(id);
  }

  startCall(call: ToolCall, details: CallDetails = {}): StreamEvent[] {
    const timestamp = details.timestamp ?? this.#now();
    const created = isAgentCall(call)
      ? subagentBlock(call, undefined, timestamp)
      : toolUseBlock(call, undefined, timestamp);
    const metadata = { ...created.metadata, ...details.metadata };
    const block = Object.keys(metadata).length === 0 ? created : { ...created, metadata };
    this.#calls.set(call.id, block);
    this.#waiting.add(call.id);
    const start: StreamEvent = { type: 'block_start', block, conversationId: MAIN };
    return [...this.closeText(), start];
  }

  setStatus(id: string, status: 'pending' | 'running'): StreamEvent[] {
    const block = this.#calls.get(id);
    if (block === undefined || !this.#waiting.has(id)) return [];
    this.#calls.set(id, { ...block, status });
    return [this.#update(block.id, { status })];
  }

  /** Sets the final status of a call and adds its result, if the output is known. */
  answer(id: string, answer: CallAnswer): StreamEvent[] {
    const block = this.#calls.get(id);
    this.#waiting.delete(id);
    const { output, isError, timestamp = this.#now() } = answer;
    const status = isError ? 'error' : 'success';
    if (block?.type === 'subagent') {
      const report = typeof output === 'string' && output !== '' ? { output } : {};
      const settled = { ...block, status, ...report } as const;
      this.#calls.set(id, settled);
      return [complete(settled)];
    }
    const result: ToolResultBlock = {
      type: 'tool_result',
      id: resultId(id),
      timestamp,
      toolUseId: id,
      output,
      isError,
    };
    const results = output === undefined ? [] : [complete(result)];
    if (block === undefined) return results;
    const settled = { ...block, status } as const;
    this.#calls.set(id, settled);
    return [complete(settled), ...results];
  }

  /** The program has stopped: completes the text; open calls become pending, as in the transcript. */
  end(): StreamEvent[] {
    const open = [...this.#waiting].flatMap((id) => this.setStatus(id, 'pending'));
    this.#waiting.clear();
    return [...this.closeText(), ...open];
  }

  #update(blockId: string, updates: BlockUpdates): StreamEvent {
    return { type: 'block_update', blockId, updates, conversationId: MAIN };
  }

  #newId(): string {
    return `live:${MAIN}:${this.#count++}`;
  }
}

export interface CallDetails {
  readonly timestamp?: string | undefined;
  readonly metadata?: JsonRecord | undefined;
}

export interface CallAnswer {
  /** `undefined` if the program did not report it. */
  readonly output: unknown;
  readonly isError: boolean;
  readonly timestamp?: string | undefined;
}

/** A block without id and timestamp, which are added here. */
type BlockContent = {
  [Block in ConversationBlock as Block['type']]: Omit<Block, 'id' | 'timestamp'>;
}[ConversationBlock['type']];

function textDelta(blockId: string, delta: string): StreamEvent {
  return { type: 'text_delta', blockId, delta, conversationId: MAIN };
}

function complete(block: ConversationBlock): StreamEvent {
  return { type: 'block_complete', blockId: block.id, block, conversationId: MAIN };
}

const MAIN = 'main';
