import type { ConversationBlock } from '../../blocks.ts';
import type { StreamEvent } from '../../stream-events.ts';
import type { SpokenPart } from './message-blocks.ts';

/** What the model says in one round while it says it. Ids are `<execution>:<round>:<ordinal>`. */
export class SpokenRound {
  readonly prefix: string;
  readonly #now: () => string;
  #ordinal = 0;
  #open: OpenPart | undefined;
  #said: OpenPart[] = [];

  constructor(prefix: string, now: () => string) {
    this.prefix = prefix;
    this.#now = now;
  }

  static from({ prefix, ordinal, said, open }: SavedRound, now: () => string): SpokenRound {
    const round = new SpokenRound(prefix, now);
    round.#ordinal = ordinal;
    round.#said = said.map((part) => ({ ...part }));
    round.#open = open === undefined ? undefined : round.#said[open];
    return round;
  }

  save(): SavedRound {
    const open = this.#open === undefined ? -1 : this.#said.indexOf(this.#open);
    const saved = { prefix: this.prefix, ordinal: this.#ordinal, said: this.#said };
    return open < 0 ? saved : { ...saved, open };
  }

  /** The id of the block that text goes on in; undefined when the next piece begins one. */
  get openTextId(): string | undefined {
    return this.#open?.type === 'assistant_text' ? this.#open.id : undefined;
  }

  append(type: SpokenPart['type'], delta: string): StreamEvent[] {
    const events = this.#open?.type === type ? [] : [...this.#close(), this.#start(type)];
    const part = this.#open;
    if (part === undefined) return events;
    part.text += delta;
    events.push({ type: 'text_delta', blockId: part.id, delta, conversationId: MAIN });
    return events;
  }

  /** The request is repeated: what it said so far does not count. */
  abandon(): StreamEvent[] {
    const gone = [...this.#said].reverse();
    this.#said = [];
    this.#open = undefined;
    return gone.map(({ id }) => ({
      type: 'block_update',
      blockId: id,
      updates: { superseded: 'retry' },
      conversationId: MAIN,
    }));
  }

  /** The message is whole: each part takes the id under which it was streamed, or the next one. */
  commit(
    parts: readonly SpokenPart[],
    timestamp: string,
    model: string | undefined,
  ): StreamEvent[] {
    const streamed = [...this.#said];
    this.#said = [];
    this.#open = undefined;
    return parts.map((part) => {
      const at = streamed.findIndex(({ type }) => type === part.type);
      const id = (at === -1 ? undefined : streamed.splice(at, 1)[0]?.id) ?? this.#nextId();
      return complete(spokenBlock({ ...part, id }, timestamp, model));
    });
  }

  /** Completes what is open with the text that has arrived. */
  end(): StreamEvent[] {
    return this.#close();
  }

  #start(type: SpokenPart['type']): StreamEvent {
    this.#open = { id: this.#nextId(), type, text: '' };
    this.#said.push(this.#open);
    const block = spokenBlock(this.#open, this.#now());
    return { type: 'block_start', block, conversationId: MAIN };
  }

  #close(): StreamEvent[] {
    const part = this.#open;
    this.#open = undefined;
    return part === undefined ? [] : [complete(spokenBlock(part, this.#now()))];
  }

  #nextId(): string {
    return `${this.prefix}:${this.#ordinal++}`;
  }
}

/** A round in mid-sentence, as plain data. */
export interface SavedRound {
  readonly prefix: string;
  readonly ordinal: number;
  readonly said: readonly OpenPart[];
  /** Which of `said` is still being spoken. */
  readonly open?: number;
}

interface OpenPart {
  readonly id: string;
  readonly type: SpokenPart['type'];
  text: string;
}

const MAIN = 'main';

function spokenBlock(
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
