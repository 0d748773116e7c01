import {
  asId,
  asNumber,
  asRecord,
  asString,
  isRecord,
  type JsonRecord,
} from '../../json-record.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { StreamTranslator } from '../../stream-translator.ts';
import { messageBlocks } from './entry-blocks.ts';

/** Translates `pi --mode json` and `--mode rpc`; `now` supplies missing timestamps. */
export function createPiStreamTranslator(
  now: () => string = () => new Date().toISOString(),
): StreamTranslator {
  return new PiStreamTranslator(now);
}

/** Live messages have no ids, so they are numbered. */
class PiStreamTranslator implements StreamTranslator {
  readonly #now: () => string;
  readonly #texts = new Map<string, string>();
  readonly #running = new Set<string>();
  #message = 0;

  constructor(now: () => string) {
    this.#now = now;
  }

  translate(nativeEvent: unknown): StreamEvent[] {
    if (!isRecord(nativeEvent)) return [];
    const message = asRecord(nativeEvent.message);
    switch (nativeEvent.type) {
      case 'session':
        return this.#metadata(nativeEvent);
      case 'message_update':
        return this.#delta(asRecord(nativeEvent.assistantMessageEvent));
      case 'message_end':
        return this.#complete(message);
      case 'tool_execution_start':
        return this.#setStatus(asId(nativeEvent.toolCallId), 'running');
      default:
        return [];
    }
  }

  end(): StreamEvent[] {
    return [...this.#running].flatMap((id) => this.#setStatus(id, 'pending'));
  }

  #metadata({ id, cwd }: JsonRecord): StreamEvent[] {
    const metadata = { sessionId: asString(id), cwd: asString(cwd) };
    return [{ type: 'metadata_update', metadata, conversationId: 'main' }];
  }

  /** Uses the deltas, because the partial message in the event can be ahead of them. */
  #delta(event: JsonRecord): StreamEvent[] {
    const kind = asString(event.type)?.replace(/_delta$/, '');
    const delta = asString(event.delta);
    if (delta === undefined || (kind !== 'text' && kind !== 'thinking')) return [];
    const id = `${this.#idOf(this.#message)}:${asNumber(event.contentIndex) ?? 0}`;
    const known = this.#texts.get(id);
    this.#texts.set(id, (known ?? '') + delta);
    const appended: StreamEvent = {
      type: 'text_delta',
      blockId: id,
      delta,
      conversationId: 'main',
    };
    if (known !== undefined) return [appended];
    const type = kind === 'text' ? 'assistant_text' : 'thinking';
    const block = { type, id, timestamp: this.#now(), content: '' } as const;
    return [{ type: 'block_start', block, conversationId: 'main' }, appended];
  }

  #complete(message: JsonRecord): StreamEvent[] {
    const origin = { id: this.#idOf(this.#message++), timestamp: this.#now() };
    this.#texts.clear();
    return messageBlocks(message, origin).flatMap((block): StreamEvent[] => {
      const conversationId = 'main';
      if (block.type === 'tool_use') return [{ type: 'block_start', block, conversationId }];
      const completed: StreamEvent = {
        type: 'block_complete',
        blockId: block.id,
        block,
        conversationId,
      };
      if (block.type !== 'tool_result') return [completed];
      this.#running.delete(block.toolUseId);
      const status = block.isError ? 'error' : 'success';
      const settled: StreamEvent = {
        type: 'block_update',
        blockId: block.toolUseId,
        updates: { status },
        conversationId,
      };
      return [settled, completed];
    });
  }

  #setStatus(id: string | undefined, status: 'running' | 'pending'): StreamEvent[] {
    if (id === undefined) return [];
    if (status === 'running') this.#running.add(id);
    return [{ type: 'block_update', blockId: id, updates: { status }, conversationId: 'main' }];
  }

  #idOf(message: number): string {
    return `live:main:${message}`;
  }
}
