import type { EntryFields } from './entry.ts';
import type { FoldedMessage, HistoryChange, HistoryFold } from './history-fold.ts';
import { defineLazy, resolveList, type SharedList, type Variants } from './history-reference.ts';
import { describeHistory } from './history-structure.ts';
import { isKnownMessage, type KnownMessage } from './log-memory.ts';
import { NativeRequestReader } from './native-requests.ts';
import { cut } from './piece-lengths.ts';

/** Only recently written messages are referred to. */
const RECENT_MESSAGES = 64;
const LIST_FIELDS = ['messages', 'history', 'historyStructure'] as const;

/** Reads lines that have `timestamp` and `sessionId`: logs of version 0.1, and lines written by other code. */
export class OldLineReader {
  readonly #history: HistoryFold<FoldedMessage>;
  readonly #requests = new NativeRequestReader();
  readonly #recent = new Map<string, KnownMessage>();
  readonly #variants = new Map<number, Variants>();
  #lastUserText: unknown;

  constructor(history: HistoryFold<FoldedMessage>) {
    this.#history = history;
  }

  read(line: EntryFields): EntryFields[] {
    if (line.message !== undefined) line.message = this.#message(line.message);
    if (line.response !== undefined) line.response = this.#message(line.response);
    if (line.payloadKind === 'request') line.payload = this.#requests.restore(line.payload);
    for (const field of LIST_FIELDS) {
      if (isKind(line[field], 'history-reference')) this.#defineList(line, field);
    }
    this.#restoreText(line);
    if (line.event === 'history_mutation') this.#mutate(line);
    return expandBatch(line);
  }

  #message(value: unknown): unknown {
    const message: unknown = isKind(value, 'message-reference') ? this.#known(value) : value;
    if (!isKnownMessage(message) || message.kind === 'message-reference') return message;
    this.#recent.delete(message.id);
    this.#recent.set(message.id, message);
    const [oldest] = this.#recent.keys();
    if (this.#recent.size > RECENT_MESSAGES && oldest !== undefined) this.#recent.delete(oldest);
    return message;
  }

  #known(reference: EntryFields): unknown {
    const known = this.#recent.get(String(reference.id));
    if (known === undefined) return reference;
    const message: EntryFields = { ...known, ...(reference.changed as object | undefined) };
    for (const key of (reference.removed ?? []) as readonly string[]) delete message[key];
    return message;
  }

  #restoreText(line: EntryFields): void {
    if (line.event === 'user') this.#lastUserText = line.content;
    if (isKind(line.input, 'text-reference')) line.input = this.#lastUserText;
    if (!isKind(line.content, 'text-reference')) return;
    const last = this.#history.messages.at(-1) as EntryFields | undefined;
    if (last?.id === line.content.message) line.content = last?.content;
  }

  /** Adopts the epoch number of the log, in case lines are missing. */
  #mutate(line: EntryFields): void {
    this.#history.apply(line as HistoryChange<FoldedMessage>);
    const { epoch } = line;
    if (typeof epoch === 'number' && epoch > this.#history.epoch) this.#history.beginEpoch(epoch);
  }

  #defineList(line: EntryFields, field: (typeof LIST_FIELDS)[number]): void {
    const reference = line[field] as SharedList & { readonly epoch: number };
    const variants = this.#variants.get(reference.epoch) ?? new Map();
    this.#variants.set(reference.epoch, variants);
    const list = resolveList(reference, this.#history.messages, variants);
    if (line.event === 'history_mutation') line[field] = list();
    else {
      defineLazy(line, field, () =>
        field === 'historyStructure' ? describeHistory(list()) : list(),
      );
    }
  }
}

function isKind(value: unknown, kind: string): value is EntryFields {
  return typeof value === 'object' && value !== null && (value as EntryFields).kind === kind;
}

/** Splits a line of batched entries; any other line is one entry. */
function expandBatch(line: EntryFields): EntryFields[] {
  const { count, lengths, payloads, ...rest } = line;
  if (typeof count !== 'number') return [line];
  if (Array.isArray(payloads)) {
    return payloads.map((payload, offset) => ({ ...withSequence(rest, offset), payload }));
  }
  if (!Array.isArray(lengths) || typeof rest.delta !== 'string') return [line];
  return cut(rest.delta, lengths.map(Number)).map((delta, offset) => ({
    ...withSequence(rest, offset),
    delta,
  }));
}

function withSequence(rest: EntryFields, offset: number): EntryFields {
  return typeof rest.sequence === 'number' ? { ...rest, sequence: rest.sequence + offset } : rest;
}
