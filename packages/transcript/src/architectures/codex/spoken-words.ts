import type { AssistantTextBlock, ThinkingBlock } from '../../blocks.ts';
import { compact } from '../../json-record.ts';
import type { BlockSequence } from './block-sequence.ts';
import type { RecordPlace } from './record-place.ts';

/** Everything said is recorded twice: as an item of the model's answer, and as an event to be shown. */
export type Source = 'answer' | 'event';

export interface Message {
  readonly id: string | undefined;
  readonly text: string;
  readonly model?: string | undefined;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
}

export interface Reasoning {
  readonly id: string | undefined;
  readonly summary: readonly string[];
  readonly raw: readonly string[];
}

interface Unpaired {
  readonly source: Source;
  readonly id: string | undefined;
  readonly text: string;
  readonly place: number;
}

/** Joins the two records of what the model said and thought, in whichever order they come. */
export class SpokenWords {
  readonly #blocks: BlockSequence;
  #messages: Unpaired[] = [];
  #thoughts: Unpaired[] = [];

  constructor(blocks: BlockSequence) {
    this.#blocks = blocks;
  }

  say(source: Source, message: Message, at: RecordPlace): void {
    const twin = this.#messages.find((other) => isTwin(other, source, message));
    if (twin !== undefined) {
      this.#messages = this.#messages.filter((other) => other !== twin);
      this.#complete(twin, source, message);
      return;
    }
    if (message.text.trim() === '') return;
    const place = this.#blocks.push(textBlock(message, at), at.ordinal);
    this.#messages = remember(this.#messages, { ...message, source, place });
  }

  /** One block a reasoning item; the older events tell its parts one by one. */
  think(source: Source, reasoning: Reasoning, at: RecordPlace): void {
    const words = thoughtOf(reasoning);
    if (words === undefined) return;
    const twins = this.#twinsOf(source, reasoning);
    const [first, ...others] = twins;
    this.#thoughts = this.#thoughts.filter((other) => !twins.includes(other));
    if (first === undefined) {
      const id = reasoning.id === undefined ? at.ownId() : `${reasoning.id}:0`;
      const block = { type: 'thinking', id, timestamp: at.timestamp, ...words } as const;
      const place = this.#blocks.push(block, at.ordinal);
      this.#awaitTwins(source, reasoning, place);
      return;
    }
    if (source === 'event') return;
    for (const { place } of others) this.#blocks.remove(place);
    const shown = this.#blocks.get(first.place);
    if (shown?.type !== 'thinking') return;
    const id = reasoning.id === undefined ? shown.id : `${reasoning.id}:0`;
    this.#blocks.set(first.place, { ...shown, ...words, id });
  }

  /** The summary of a compaction is first written like a reply of the model, which it is not. */
  withdrawSummary(summary: string, turnStart: number): void {
    const place = this.#blocks.findLast((block) => block.type === 'assistant_text', turnStart);
    const block = place === undefined ? undefined : this.#blocks.get(place);
    const isUnpaired = this.#messages.some((other) => other.place === place);
    if (place !== undefined && block?.type === 'assistant_text') {
      if (isUnpaired || summary.includes(block.content)) this.#blocks.remove(place);
    }
    this.#messages = [];
    this.#thoughts = [];
  }

  #complete(twin: Unpaired, source: Source, message: Message): void {
    const shown = this.#blocks.get(twin.place);
    if (shown?.type !== 'assistant_text') return;
    const id = message.id === undefined ? shown.id : `${message.id}:0`;
    const content = source === 'event' ? message.text : shown.content;
    const { metadata } = message;
    const block = { ...shown, id, content };
    this.#blocks.set(twin.place, metadata === undefined ? block : { ...block, metadata });
  }

  #twinsOf(source: Source, reasoning: Reasoning): Unpaired[] {
    const others = this.#thoughts.filter((other) => other.source !== source);
    if (reasoning.id !== undefined) {
      const same = others.find((other) => other.id === reasoning.id);
      if (same !== undefined) return [same];
    }
    const nameless = others.filter((other) => other.id === undefined || reasoning.id === undefined);
    const texts = [...reasoning.summary];
    return nameless.filter(({ text }) => {
      const index = texts.indexOf(text);
      if (index !== -1) texts.splice(index, 1);
      return index !== -1;
    });
  }

  #awaitTwins(source: Source, { id, summary, raw }: Reasoning, place: number): void {
    for (const text of summary.length > 0 ? summary : raw) {
      this.#thoughts = remember(this.#thoughts, { source, id, text, place });
      if (source === 'event' && id !== undefined) return;
    }
  }
}

/** Pairs stand close together; an old half without its twin never gets one. */
const MOST_UNPAIRED = 48;

function remember(unpaired: readonly Unpaired[], next: Unpaired): Unpaired[] {
  const { source, id, text, place } = next;
  return [...unpaired.slice(1 - MOST_UNPAIRED), { source, id, text, place }];
}

function isTwin(other: Unpaired, source: Source, { id, text }: Message): boolean {
  if (other.source === source) return false;
  return other.id !== undefined && id !== undefined ? other.id === id : other.text === text;
}

function textBlock({ id, text, model, metadata }: Message, at: RecordPlace): AssistantTextBlock {
  const block: AssistantTextBlock = {
    type: 'assistant_text',
    id: id === undefined ? at.ownId() : `${id}:0`,
    timestamp: at.timestamp,
    content: text,
  };
  if (metadata !== undefined) return compact({ ...block, model, metadata });
  return model === undefined ? block : { ...block, model };
}

/** Summaries where the model gives only them; with the full reasoning they stand beside it. */
export function thoughtOf({
  summary,
  raw,
}: Pick<Reasoning, 'summary' | 'raw'>): Pick<ThinkingBlock, 'content' | 'summary'> | undefined {
  const [short, full] = [summary.join('\n'), raw.join('\n')];
  if (full.trim() === '') return short.trim() === '' ? undefined : { content: short };
  return short.trim() === '' ? { content: full } : { content: full, summary: short };
}
