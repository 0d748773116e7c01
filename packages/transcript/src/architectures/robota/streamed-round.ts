import type { ConversationBlock } from '../../blocks.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { ReplyPart } from './message-blocks.ts';

/** The blocks of one model reply while it is streamed. Ids are `<execution>:<round>:<ordinal>`. */
export class StreamedRound {
  readonly prefix: string;
  readonly #now: () => string;
  #ordinal = 0;
  #open: OpenPart | undefined;
  #parts: OpenPart[] = [];

  constructor(prefix: string, now: () => string) {
    this.prefix = prefix;
    this.#now = now;
  }

  static from({ prefix, ordinal, said, open }: SavedRound, now: () => string): StreamedRound {
    const round = new StreamedRound(prefix, now);
    round.#ordinal = ordinal;
    round.#parts = said.map((part) => ({ ...part }));
    round.#open = open === undefined ? undefined : round.#parts[open];
    return round;
  }

  save(): SavedRound {
    const open = this.#open === undefined ? -1 : this.#parts.indexOf(this.#open);
    const saved = { prefix: this.prefix, ordinal: this.#ordinal, said: this.#parts };
    return open < 0 ? saved : { ...saved, open };
  }

  /** The id of the open text block; `undefined` if the next delta starts a new one. */
  get openTextId(): string | undefined {
    return this.#open?.type === 'assistant_text' ? this.#open.id : undefined;
  }

  append(type: ReplyPart['type'], delta: string): StreamEvent[] {
    const events = this.#open?.type === type ? [] : [...this.#close(), this.#start(type)];
    const part = this.#open;
    if (part === undefined) return events;
    part.text += delta;
    events.push({ type: 'text_delta', blockId: part.id, delta, conversationId: MAIN });
    return events;
  }

  /** The request is retried: supersedes the blocks streamed so far. */
  abandon(): StreamEvent[] {
    const abandoned = [...this.#parts].reverse();
    this.#parts = [];
    this.#open = undefined;
    return abandoned.map(({ id }) => ({
      type: 'block_update',
      blockId: id,
      updates: { superseded: 'retry' },
      conversationId: MAIN,
    }));
  }

  /** The message is complete: each part takes the id under which it was streamed, or the next one. */
  commit(parts: readonly ReplyPart[], timestamp: string, model: string | undefined): StreamEvent[] {
    const streamed = [...this.#parts];
    this.#parts = [];
    this.#open = undefined;
    return parts.map((part) => {
      const at = streamed.findIndex(({ type }) => type === part.type);
      const id = (at === -1 ? undefined : streamed.splice(at, 1)[0]?.id) ?? this.#nextId();
      return complete(toBlock({ ...part, id }, timestamp, model));
    });
  }

  /** Completes the open block with the text received so far. */
  end(): StreamEvent[] {
    return this.#close();
  }

  #start(type: ReplyPart['type']): StreamEvent {
    this.#open = { id: this.#nextId(), type, text: '' };
    this.#parts.push(this.#open);
    const block = toBlock(this.#open, this.#now());
    return { type: 'block_start', block, conversationId: MAIN };
  }

  #close(): StreamEvent[] {
    const part = this.#open;
    this.#open = undefined;
    return part === undefined ? [] : [complete(toBlock(part, this.#now()))];
  }

  #nextId(): string {
    return `${this.prefix}:${this.#ordinal++}`;
  }
}

/** A partly streamed round, as plain data. */
export interface SavedRound {
  readonly prefix: string;
  readonly ordinal: number;
  readonly said: readonly OpenPart[];
  /** Index of the open part in `said`. */
  readonly open?: number;
}

interface OpenPart {
  readonly id: string;
  readonly type: ReplyPart['type'];
  text: string;
}

const MAIN = 'main';

function toBlock(
  { id, type, text }: OpenPart,
  timestamp: string,
  model?: string,
): ConversationBlock {
  if (type === 'thinking' || model === undefined) return { type, id, timestamp, content: text };
  return { type, id, timestamp, content: text, model };
}

function complete(block: ConversationBlock): StreamEvent {
  return { type: 'block_complete', blockId: block.id, block, conversationId: MAIN };
}
