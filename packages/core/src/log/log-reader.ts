import type { Entry, EntryFields, SessionLogEntry } from './entry.ts';
import type { FoldedMessage, HistoryFold } from './history-fold.ts';
import { defineLazy, resolveList, type SharedList } from './history-reference.ts';
import { describeHistory } from './history-structure.ts';
import {
  FULL_SCOPE_EVENTS,
  LIST_FIELDS,
  LogMemory,
  MESSAGE_FIELDS,
  SCHEMA_FIELDS,
  SCOPE_BY_LETTER,
  SKIPPED_EVENTS,
} from './log-memory.ts';
import { NativeRequestReader } from './native-requests.ts';
import { OldLineReader } from './old-lines.ts';
import { type PayloadRows, unpackPayloads } from './payload-rows.ts';
import { cutByRuns } from './piece-lengths.ts';

/** Options for reading a log. */
export interface LogReaderOptions {
  /** Restores values that were moved out of a line; unavailable ones stay references. */
  readonly resolvePayloads?: ((line: unknown) => unknown) | undefined;
  /**
   * `whole`: every entry as it was emitted. `folds`: a line of deltas is one entry, and entries that no fold reads are
   * skipped unparsed.
   */
  readonly detail?: 'whole' | 'folds' | undefined;
  /** Set to start reading in the middle of a log. */
  readonly start?: LogReaderStart | undefined;
}

/** State of the log before the first line to read. */
export interface LogReaderStart {
  readonly n: number;
  readonly sessionId: string;
  readonly history: HistoryFold<FoldedMessage>;
}

/**
 * Lines that no fold reads and no line refers to. They include a committed reply that only repeats the message and
 * scope of earlier lines, and the answer of a turn, which is also in its messages.
 */
const SKIPPED_LINE = new RegExp(
  `^\\{"n":\\d+,"t":\\d+,"event":"(?:(?:${[...SKIPPED_EVENTS, 'assistant'].join('|')})"|assistant_message_committed","s":"ecr","message":\\{"\\$m":)`,
);

/** Turns the lines of one log, in order, into entries. Reads the formats of all versions. */
export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #isWhole: boolean;
  #memory: LogMemory;
  #requests = new NativeRequestReader();
  #old: OldLineReader | undefined;
  #sessionId: string;
  #last: number;
  /** The last line of text deltas, for the `text_delta` line after it. */
  #pieces: { readonly n: number; readonly deltas: readonly string[] } = { n: 0, deltas: [] };

  constructor(options: LogReaderOptions = {}) {
    this.#options = options;
    this.#isWhole = options.detail !== 'folds';
    this.#memory = new LogMemory('reader', options.start?.history);
    this.#sessionId = options.start?.sessionId ?? '';
    this.#last = options.start?.n ?? 0;
  }

  /** The number of the last entry. */
  get last(): number {
    return this.#last;
  }

  get history(): HistoryFold<FoldedMessage> {
    return this.#memory.history;
  }

  /**
   * The entries of a line, none for a header; null if it is not a log line or is damaged. Pass `mayRefer: false` if no
   * value was moved out of the line.
   */
  read(text: string, mayRefer = true): SessionLogEntry[] | null {
    if (!this.#isWhole && SKIPPED_LINE.test(text)) return this.#skip(text);
    const parsed = parseLine(text);
    if (parsed === null) return null;
    try {
      return this.#read(parsed, mayRefer && text.includes('"external-payload"'));
    } catch {
      // One bad line, however damaged, must not make the other lines unreadable.
      return null;
    }
  }

  #read(parsed: EntryFields, mayRefer: boolean): SessionLogEntry[] | null {
    const { resolvePayloads } = this.#options;
    const line = mayRefer && resolvePayloads ? (resolvePayloads(parsed) as EntryFields) : parsed;
    if (typeof line.log === 'number') return this.#header(line);
    if (typeof line.event !== 'string') return null;
    if (typeof line.n !== 'number' || typeof line.t !== 'number') return this.#oldLine(line);
    if (!isEntryNumber(line.n) || !(Math.abs(line.t) <= LAST_TIME)) return null;
    return this.#entries(line as EntryFields & { event: string; n: number; t: number });
  }

  #skip(text: string): SessionLogEntry[] | null {
    const n = Number.parseInt(text.slice('{"n":'.length), 10);
    if (!isEntryNumber(n)) return null;
    if (n > this.#last) this.#last = n;
    return [];
  }

  /** A new writer starts here: it refers to nothing written before, except the conversation. */
  #header({ sessionId, after, epoch, length, part }: EntryFields): SessionLogEntry[] {
    if (part === true) {
      this.#memory.beginPart();
      return [];
    }
    if (typeof sessionId === 'string') this.#sessionId = sessionId;
    if (isEntryNumber(after)) this.#last = Math.max(this.#last, after);
    const history = this.#memory.history;
    if (typeof epoch === 'number') {
      history.beginEpoch(epoch, typeof length === 'number' ? length : undefined);
    }
    this.#memory = new LogMemory('reader', history);
    this.#requests = new NativeRequestReader();
    this.#old = undefined;
    return [];
  }

  #oldLine(line: EntryFields): SessionLogEntry[] {
    this.#old ??= new OldLineReader(this.#memory.history);
    if (typeof line.sessionId === 'string' && line.sessionId !== '') {
      this.#sessionId ||= line.sessionId;
    }
    return this.#old.read(line).map((entry) => {
      this.#last += 1;
      const time = Date.parse(String(entry.timestamp));
      entry.n = this.#last;
      entry.time = Number.isNaN(time) ? 0 : time;
      return entry as unknown as SessionLogEntry;
    });
  }

  #entries(line: EntryFields & { event: string; n: number; t: number }): SessionLogEntry[] {
    const { n, t: time, event } = line;
    this.#last = Math.max(this.#last, n);
    this.#restoreScope(event, line, typeof line.s === 'string' ? line.s : '');
    const head = { n, time, timestamp: timestampOf(time), sessionId: this.#sessionId, event };
    switch (event) {
      case 'provider_stream_raw_delta':
      case 'provider_thinking_delta':
        return this.#deltas(head, line);
      case 'text_delta':
        return this.#textDeltas(head, line);
      case 'provider_native_raw_payload':
        if (Array.isArray(line.rows)) return unpackedPayloads(head, line);
        break;
      default:
    }
    return [this.#isWhole ? this.#completeEntry(head, line) : this.#foldedEntry(head, line)];
  }

  #completeEntry(head: Head, line: EntryFields): SessionLogEntry {
    const entry: EntryFields = { ...head };
    for (const key in line) if (!HEAD_FIELDS.has(key)) this.#define(entry, key, line[key]);
    if (entry.event === 'assistant') this.#defineStructure(entry);
    if (entry.payloadKind === 'request') {
      entry.payload = this.#requests.restore(this.#deep(entry.payload));
    }
    this.#memory.remember(entry as unknown as Entry);
    return entry as unknown as SessionLogEntry;
  }

  /** Turns the parsed line itself into the entry; lists that no fold reads stay references. */
  #foldedEntry(head: Head, line: EntryFields): SessionLogEntry {
    for (const key in line) {
      const value = line[key];
      if (typeof value !== 'object' || value === null) continue;
      if (LIST_FIELDS.has(key) && head.event !== 'history_mutation') continue;
      this.#define(line, key, value);
    }
    this.#memory.remember(withHead(head, line) as Entry);
    return line as unknown as SessionLogEntry;
  }

  #restoreScope(event: string, fields: EntryFields, same: string): void {
    const { scope } = this.#memory;
    restoreFields(scope, fields, same);
    if (!SKIPPED_EVENTS.has(event)) takeScope(scope, fields, FULL_SCOPE_EVENTS.has(event));
  }

  #deltas(head: Head, fields: EntryFields): SessionLogEntry[] {
    const delta = typeof fields.delta === 'string' ? fields.delta : '';
    this.#memory.rememberStreamed(head.n, head.event, delta);
    if (!this.#isWhole) return [withHead(head, fields)];
    const { n: _n, t: _t, s: _s, event: _event, lengths, delta: _delta, ...scope } = fields;
    const deltas = Array.isArray(lengths) ? cutByRuns(delta, lengths) : [delta];
    if (head.event === 'provider_stream_raw_delta') this.#pieces = { n: head.n, deltas };
    return numbered(
      head,
      scope,
      deltas.map((piece) => ({ delta: piece })),
    );
  }

  #textDeltas(head: Head, line: EntryFields): SessionLogEntry[] {
    const { n: _n, t: _t, s: _s, event: _event, of, ...fields } = line;
    if (of !== this.#pieces.n)
      return typeof fields.delta === 'string' ? [{ ...head, ...fields }] : [];
    return this.#pieces.deltas.map((delta) => ({ ...head, ...fields, delta }));
  }

  #define(entry: EntryFields, key: string, value: unknown): void {
    if (typeof value !== 'object' || value === null) {
      entry[key] = value;
      return;
    }
    const { $h } = value as { readonly $h?: unknown };
    if (!LIST_FIELDS.has(key) || !Array.isArray($h)) {
      entry[key] = this.#resolve(key, value);
      return;
    }
    const { extra, ...shared } = value as Partial<SharedList>;
    const list = resolveList(
      {
        ...shared,
        length: Number($h[1]),
        ...(Array.isArray(extra) && { extra: extra.map((message) => this.#message(message)) }),
      },
      this.#memory.history.messages,
      this.#memory.variants,
    );
    if (entry.event === 'history_mutation') entry[key] = list();
    else defineLazy(entry, key, list);
  }

  #defineStructure(entry: EntryFields): void {
    if (!('history' in entry) || 'historyStructure' in entry) return;
    defineLazy(entry, 'historyStructure', () => describeHistory(entry.history as unknown[]));
  }

  #resolve(key: string, value: object): unknown {
    if (LIST_FIELDS.has(key) && Array.isArray(value))
      return value.map((item) => this.#message(item));
    if (MESSAGE_FIELDS.has(key)) return this.#textOf(value) ?? this.#message(value);
    const { $s, $p } = value as { readonly $s?: unknown; readonly $p?: unknown };
    if (SCHEMA_FIELDS.has(key) && $s !== undefined) return this.#memory.schemasAt($s) ?? value;
    if ($p !== undefined) return this.#memory.parametersAt($p) ?? value;
    return this.#textOf(value) ?? value;
  }

  #message(value: unknown): unknown {
    const { $m, set, unset } = (value ?? {}) as {
      readonly $m?: unknown;
      readonly set?: object;
      readonly unset?: readonly string[];
    };
    if ($m === undefined) return this.#deep(value);
    const known = this.#memory.messageAt($m);
    if (known === undefined) return value;
    if (set === undefined && unset === undefined) return known;
    const message: EntryFields = { ...known, ...(this.#deep(set ?? {}) as object) };
    for (const key of unset ?? []) delete message[key];
    return message;
  }

  #deep(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => this.#deep(item));
    const text = this.#textOf(value);
    if (text !== undefined) return text;
    const { $x } = value as { readonly $x?: unknown };
    const copy = ($x ?? value) as EntryFields;
    for (const key in copy) {
      if (typeof copy[key] === 'object') copy[key] = this.#deep(copy[key]);
    }
    return copy;
  }

  #textOf(value: object): string | undefined {
    const { $d, $k, $t, before } = value as Readonly<Record<string, unknown>>;
    if ($d === 1) return this.#memory.replyText;
    if ($k === 1) return this.#memory.thinkingText;
    if ($t === undefined) return undefined;
    const text = this.#memory.textAt($t) ?? '';
    return typeof before === 'string' ? before + text : text;
  }
}

/** The largest time value of a `Date`. */
const LAST_TIME = 8.64e15;
/** Far beyond any log, and far below the limit where integers lose precision. */
const MAX_ENTRY_NUMBER = 2 ** 52;

/** Whether an entry can have this number; the next entries must not be counted on from a damaged one. */
function isEntryNumber(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < MAX_ENTRY_NUMBER;
}

/** Fields of a line that are in the head of its entry. */
const HEAD_FIELDS: ReadonlySet<string> = new Set(['n', 't', 's', 'event']);

/** The two most common combinations are restored by name, which is far cheaper. */
function restoreFields(scope: LogMemory['scope'], fields: EntryFields, same: string): void {
  if (same === 'ecr' || same === 'ecrpm') {
    fields.executionId = scope.executionId;
    fields.conversationId = scope.conversationId;
    fields.round = scope.round;
    if (same === 'ecr') return;
    fields.provider = scope.provider;
    fields.model = scope.model;
    return;
  }
  for (let index = 0; index < same.length; index++) {
    const field = SCOPE_BY_LETTER[same.charAt(index)];
    if (field !== undefined) fields[field] = scope[field];
  }
}

/** Fields are read by name because this runs for every line. */
function takeScope(scope: LogMemory['scope'], fields: EntryFields, isRestated: boolean): void {
  const { executionId, conversationId, round, batchId, provider, model } = fields;
  if (isRestated || executionId !== undefined) scope.executionId = executionId;
  if (isRestated || conversationId !== undefined) scope.conversationId = conversationId;
  if (isRestated || round !== undefined) scope.round = round;
  if (isRestated || batchId !== undefined) scope.batchId = batchId;
  if (isRestated || provider !== undefined) scope.provider = provider;
  if (isRestated || model !== undefined) scope.model = model;
}

/** Adds the head to the parsed line itself. */
function withHead(head: Head, line: EntryFields): SessionLogEntry {
  line.time = head.time;
  line.timestamp = head.timestamp;
  line.sessionId = head.sessionId;
  return line as unknown as SessionLogEntry;
}

interface Head {
  readonly n: number;
  readonly time: number;
  readonly timestamp: string;
  readonly sessionId: string;
  readonly event: string;
}

function parseLine(text: string): EntryFields | null {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
    return value as EntryFields;
  } catch {
    // The caller counts unreadable lines.
    return null;
  }
}

function unpackedPayloads(head: Head, fields: EntryFields): SessionLogEntry[] {
  const { n: _n, t: _t, s: _s, event: _event, first, paths, rows, ...scope } = fields;
  const payloads = unpackPayloads({ first, paths, rows } as PayloadRows);
  return numbered(
    head,
    scope,
    payloads.map((payload) => ({ payload })),
  );
}

/** The entries of one line; `sequence` counts on from that of the first. */
function numbered(
  head: Head,
  scope: EntryFields,
  pieces: readonly EntryFields[],
): SessionLogEntry[] {
  const { sequence } = scope;
  if (typeof sequence !== 'number') return pieces.map((piece) => ({ ...head, ...scope, ...piece }));
  return pieces.map((piece, index) => ({
    ...head,
    ...scope,
    sequence: sequence + index,
    ...piece,
  }));
}

let lastMillisecond = -1;
let lastTimestamp = '';
let lastSecond = -1;
/** ISO text of that second up to and including the dot. */
let lastSecondText = '';

/**
 * Caches the last values: many entries share a millisecond and most a second, and formatting dominates the cost of a
 * small entry.
 */
function timestampOf(time: number): string {
  if (time === lastMillisecond) return lastTimestamp;
  const second = Math.floor(time / 1000);
  if (second !== lastSecond) {
    lastSecondText = new Date(second * 1000).toISOString().slice(0, -4);
    lastSecond = second;
  }
  lastMillisecond = time;
  const milliseconds = Math.floor(time - second * 1000);
  lastTimestamp = `${lastSecondText}${String(milliseconds).padStart(3, '0')}Z`;
  return lastTimestamp;
}
