import type { AssistantTextBlock, ThinkingBlock } from '../../blocks.ts';
import { compact } from '../../json-record.ts';
import type { BlockSequence } from './block-sequence.ts';
import type { RecordPlace } from './record-place.ts';

/** Model messages are recorded twice: as an item of the model's response, and as an event for display. */
export type Source = 'response' | 'event';

export interface CodexMessage {
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

/** Pairs the two records of each message and reasoning, in whichever order they come. */
export class ModelMessages {
  readonly #blocks: BlockSequence;
  #messages: Unpaired[] = [];
  #reasonings: Unpaired[] = [];

  constructor(blocks: BlockSequence) {
    this.#blocks = blocks;
  }

  addMessage(source: Source, message: CodexMessage, at: RecordPlace): void {
    const counterpart = this.#messages.find((other) => isCounterpart(other, source, message));
    if (counterpart !== undefined) {
      this.#messages = this.#messages.filter((other) => other !== counterpart);
      this.#complete(counterpart, source, message);
      return;
    }
    if (message.text.trim() === '') return;
    const place = this.#blocks.push(textBlock(message, at), at.ordinal);
    this.#messages = remember(this.#messages, { ...message, source, place });
  }

  /** One block per reasoning item; older events report its parts one by one. */
  addReasoning(source: Source, reasoning: Reasoning, at: RecordPlace): void {
    const content = reasoningContent(reasoning);
    if (content === undefined) return;
    const counterparts = this.#counterpartsOf(source, reasoning);
    const [first, ...others] = counterparts;
    this.#reasonings = this.#reasonings.filter((other) => !counterparts.includes(other));
    if (first === undefined) {
      const id = reasoning.id === undefined ? at.ownId() : `${reasoning.id}:0`;
      const block = { type: 'thinking', id, timestamp: at.timestamp, ...content } as const;
      const place = this.#blocks.push(block, at.ordinal);
      this.#awaitCounterparts(source, reasoning, place);
      return;
    }
    if (source === 'event') return;
    for (const { place } of others) this.#blocks.remove(place);
    const shown = this.#blocks.get(first.place);
    if (shown?.type !== 'thinking') return;
    const id = reasoning.id === undefined ? shown.id : `${reasoning.id}:0`;
    this.#blocks.set(first.place, { ...shown, ...content, id });
  }

  /** The summary of a compaction is first recorded like a model message, so that block is removed. */
  removeSummary(summary: string, turnStart: number): void {
    const place = this.#blocks.findLast((block) => block.type === 'assistant_text', turnStart);
    const block = place === undefined ? undefined : this.#blocks.get(place);
    const isUnpaired = this.#messages.some((other) => other.place === place);
    if (place !== undefined && block?.type === 'assistant_text') {
      if (isUnpaired || summary.includes(block.content)) this.#blocks.remove(place);
    }
    this.#messages = [];
    this.#reasonings = [];
  }

  #complete(counterpart: Unpaired, source: Source, message: CodexMessage): void {
    const shown = this.#blocks.get(counterpart.place);
    if (shown?.type !== 'assistant_text') return;
    const id = message.id === undefined ? shown.id : `${message.id}:0`;
    const content = source === 'event' ? message.text : shown.content;
    const { metadata } = message;
    const block = { ...shown, id, content };
    this.#blocks.set(counterpart.place, metadata === undefined ? block : { ...block, metadata });
  }

  #counterpartsOf(source: Source, reasoning: Reasoning): Unpaired[] {
    const others = this.#reasonings.filter((other) => other.source !== source);
    if (reasoning.id !== undefined) {
      const same = others.find((other) => other.id === reasoning.id);
      if (same !== undefined) return [same];
    }
    const withoutId = others.filter(
      (other) => other.id === undefined || reasoning.id === undefined,
    );
    const texts = [...reasoning.summary];
    return withoutId.filter(({ text }) => {
      const index = texts.indexOf(text);
      if (index !== -1) texts.splice(index, 1);
      return index !== -1;
    });
  }

  #awaitCounterparts(source: Source, { id, summary, raw }: Reasoning, place: number): void {
    for (const text of summary.length > 0 ? summary : raw) {
      this.#reasonings = remember(this.#reasonings, { source, id, text, place });
      if (source === 'event' && id !== undefined) return;
    }
  }
}

/** Pairs are close together, so an old record without its counterpart is dropped. */
const MAX_UNPAIRED = 48;

function remember(unpaired: readonly Unpaired[], next: Unpaired): Unpaired[] {
  const { source, id, text, place } = next;
  return [...unpaired.slice(1 - MAX_UNPAIRED), { source, id, text, place }];
}

function isCounterpart(other: Unpaired, source: Source, { id, text }: CodexMessage): boolean {
  if (other.source === source) return false;
  return other.id !== undefined && id !== undefined ? other.id === id : other.text === text;
}

function textBlock(
  { id, text, model, metadata }: CodexMessage,
  at: RecordPlace,
): AssistantTextBlock {
  const block: AssistantTextBlock = {
    type: 'assistant_text',
    id: id === undefined ? at.ownId() : `${id}:0`,
    timestamp: at.timestamp,
    content: text,
  };
  if (metadata !== undefined) return compact({ ...block, model, metadata });
  return model === undefined ? block : { ...block, model };
}

/** The summary is the content unless the full reasoning is available. */
export function reasoningContent({
  summary,
  raw,
}: Pick<Reasoning, 'summary' | 'raw'>): Pick<ThinkingBlock, 'content' | 'summary'> | undefined {
  const [short, full] = [summary.join('\n'), raw.join('\n')];
  if (full.trim() === '') return short.trim() === '' ? undefined : { content: short };
  return short.trim() === '' ? { content: full } : { content: full, summary: short };
}
