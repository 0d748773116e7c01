import type { SessionLogEntry } from '@robota-sdk/agent-core';
import { expandBatch } from './delta-batch.ts';
import { type FoldedMessage, type HistoryChange, HistoryFold } from './history-fold.ts';
import {
  type HistoryReference,
  isHistoryReference,
  isKind,
  resolveReference,
} from './history-reference.ts';
import { describeHistory } from './history-structure.ts';
import {
  isMessageLike,
  isMessageReference,
  type MessageLike,
  resolveMessage,
} from './message-reference.ts';
import { NativeRequestReader } from './native-requests.ts';
import type { PayloadReader } from './payload-reader.ts';

interface EpochMessages {
  readonly messages: readonly FoldedMessage[];
  readonly variants: Map<number, unknown>;
}

/** Texts are short-lived; only messages named again soon after are kept. */
const RECENT_MESSAGES = 64;
const LIST_FIELDS = ['messages', 'history', 'historyStructure'] as const;

/** Turns the lines of one log, in order, into whole entries. Lists are resolved only when somebody looks. */
export class EntryDecoder {
  readonly #payloads: PayloadReader;
  readonly #fold = new HistoryFold<FoldedMessage>();
  readonly #epochs = new Map<number, EpochMessages>();
  readonly #requests = new NativeRequestReader();
  readonly #recent = new Map<string, MessageLike>();
  #lastUserText: unknown;

  constructor(payloads: PayloadReader) {
    this.#payloads = payloads;
  }

  /** Null when the line is no log entry. */
  decode(text: string): SessionLogEntry[] | null {
    const line = parseLine(text);
    if (line === null) return null;
    const whole = text.includes('"external-payload"')
      ? (this.#payloads.resolve(line) as Record<string, unknown>)
      : line;
    this.#restore(whole);
    return expandBatch(whole) as SessionLogEntry[];
  }

  #restore(line: Record<string, unknown>): void {
    if (line.message !== undefined) line.message = this.#message(line.message);
    if (line.response !== undefined) line.response = this.#message(line.response);
    if (line.payloadKind === 'request') line.payload = this.#requests.restore(line.payload);
    for (const field of LIST_FIELDS) {
      const value = line[field];
      if (isHistoryReference(value)) this.#defineList(line, field, value);
    }
    this.#restoreText(line);
    if (line.event === 'history_mutation') this.#applyMutation(line);
  }

  #message(value: unknown): unknown {
    const known = isMessageReference(value) ? this.#recent.get(value.id) : undefined;
    const message = isMessageReference(value) && known ? resolveMessage(value, known) : value;
    if (!isMessageLike(message) || isMessageReference(message)) return message;
    this.#recent.delete(message.id);
    this.#recent.set(message.id, message);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > RECENT_MESSAGES && oldest !== undefined) this.#recent.delete(oldest);
    return message;
  }

  #restoreText(line: Record<string, unknown>): void {
    if (line.event === 'user') this.#lastUserText = line.content;
    if (isKind(line.input, 'text-reference')) line.input = this.#lastUserText;
    if (isKind(line.content, 'text-reference')) {
      const { message } = line.content as { message?: unknown };
      const last = this.#fold.messages.at(-1) as { id?: unknown; content?: unknown } | undefined;
      if (last?.id === message) line.content = last?.content;
    }
  }

  #applyMutation(line: Record<string, unknown>): void {
    this.#fold.apply(line as HistoryChange<FoldedMessage>);
    this.#fold.alignEpoch(line.epoch);
  }

  /** Remembers which array a reference means now, since the fold moves on. */
  #defineList(line: Record<string, unknown>, field: string, reference: HistoryReference): void {
    const epoch = this.#epoch(reference.epoch);
    for (const [index, message] of Object.entries(reference.replaced ?? {})) {
      epoch.variants.set(Number(index), message);
    }
    const variants = new Map<number, unknown>();
    for (const index of [...Object.keys(reference.replaced ?? {}), ...(reference.variants ?? [])]) {
      variants.set(Number(index), epoch.variants.get(Number(index)));
    }
    defineLazy(line, field, () => {
      const list = resolveReference(reference, epoch.messages, variants);
      return field === 'historyStructure' ? describeHistory(list) : list;
    });
  }

  #epoch(epoch: number): EpochMessages {
    const known = this.#epochs.get(epoch);
    if (known) return known;
    const created = { messages: this.#fold.messages, variants: new Map<number, unknown>() };
    if (epoch === this.#fold.epoch) this.#epochs.set(epoch, created);
    return created;
  }
}

function parseLine(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return typeof (value as { event?: unknown }).event === 'string'
      ? (value as Record<string, unknown>)
      : null;
  } catch {
    return null;
  }
}

/** Computed at the first look and kept; enumerable, so that copies and JSON hold the list itself. */
function defineLazy(line: Record<string, unknown>, field: string, compute: () => unknown): void {
  let value: unknown;
  let isKnown = false;
  Object.defineProperty(line, field, {
    enumerable: true,
    configurable: true,
    get() {
      if (!isKnown) {
        value = compute();
        isKnown = true;
      }
      return value;
    },
  });
}
