import type { Entry, EntryFields, SessionLogEntry } from './entry.ts';
import type { FoldedMessage, HistoryFold } from './history-fold.ts';
import { defineLazy, resolveList, type SharedList } from './history-reference.ts';
import { describeHistory } from './history-structure.ts';
import {
  LIST_FIELDS,
  LogMemory,
  MESSAGE_FIELDS,
  PASSED_OVER,
  RESTATING,
  SCHEMA_FIELDS,
  SCOPE_FIELDS,
} from './log-memory.ts';
import { NativeRequestReader } from './native-requests.ts';
import { cut, OldLineReader } from './old-lines.ts';
import { type PayloadRows, unpackPayloads } from './payload-rows.ts';

export interface LogReaderOptions {
  /** Puts values back that were moved out of a line; what cannot be had stays a reference. */
  readonly resolvePayloads?: ((line: unknown) => unknown) | undefined;
  /**
   * `whole`: every entry as it was told. `folds`: a line of deltas is one entry, and what no fold reads is not
   * even parsed.
   */
  readonly detail?: 'whole' | 'folds' | undefined;
  /** Where the reading begins, when it does not begin at the start of the log. */
  readonly start?: LogReaderStart | undefined;
}

export interface LogReaderStart {
  readonly n: number;
  readonly sessionId: string;
  readonly history: HistoryFold<FoldedMessage>;
}

const PASSED_OVER_LINE = new RegExp(
  `^\\{"n":\\d+,"t":\\d+,"event":"(?:${[...PASSED_OVER].join('|')})"`,
);

/** Turns the lines of one log, in order, into entries. Reads what every version of ours has written. */
export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #isWhole: boolean;
  #memory: LogMemory;
  #requests = new NativeRequestReader();
  #old: OldLineReader | undefined;
  #sessionId: string;
  #last: number;
  /** The last line of text pieces, for the `text_delta` line after it. */
  #pieces: { readonly n: number; readonly deltas: readonly string[] } = { n: 0, deltas: [] };

  constructor(options: LogReaderOptions = {}) {
    this.#options = options;
    this.#isWhole = options.detail !== 'folds';
    this.#memory = new LogMemory(options.start?.history);
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

  /** The entries a line stands for, none for a header; null where it is no line of a log. */
  read(text: string): SessionLogEntry[] | null {
    if (!this.#isWhole && PASSED_OVER_LINE.test(text)) return this.#pass(text);
    const parsed = parseLine(text);
    if (parsed === null) return null;
    const { resolvePayloads } = this.#options;
    const line =
      resolvePayloads && text.includes('"external-payload"')
        ? (resolvePayloads(parsed) as EntryFields)
        : parsed;
    if (typeof line.log === 'number') return this.#header(line);
    if (typeof line.event !== 'string') return null;
    if (typeof line.n !== 'number' || typeof line.t !== 'number') return this.#oldLine(line);
    return this.#entries(line as EntryFields & { event: string; n: number; t: number });
  }

  #pass(text: string): SessionLogEntry[] {
    this.#last = Number.parseInt(text.slice('{"n":'.length), 10);
    return [];
  }

  /** A writer begins: it knows nothing of what was referred to before, except the conversation. */
  #header({ sessionId, after, epoch, length, part }: EntryFields): SessionLogEntry[] {
    if (part === true) {
      this.#memory.beginPart();
      return [];
    }
    if (typeof sessionId === 'string') this.#sessionId = sessionId;
    if (typeof after === 'number') this.#last = Math.max(this.#last, after);
    const history = this.#memory.history;
    if (typeof epoch === 'number') {
      history.beginEpoch(epoch, typeof length === 'number' ? length : undefined);
    }
    this.#memory = new LogMemory(history);
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
    return [this.#isWhole ? this.#wholeEntry(head, line) : this.#foldedEntry(head, line)];
  }

  #wholeEntry(head: Head, line: EntryFields): SessionLogEntry {
    const entry: EntryFields = { ...head };
    for (const key in line) if (!HEAD_FIELDS.has(key)) this.#define(entry, key, line[key]);
    if (entry.event === 'assistant') this.#defineStructure(entry);
    if (entry.payloadKind === 'request') entry.payload = this.#requests.restore(entry.payload);
    this.#memory.hear(entry as unknown as Entry);
    return entry as unknown as SessionLogEntry;
  }

  /** The parsed line itself becomes the entry; lists that no fold looks at stay references. */
  #foldedEntry(head: Head, line: EntryFields): SessionLogEntry {
    for (const key in line) {
      const value = line[key];
      if (typeof value !== 'object' || value === null) continue;
      if (LIST_FIELDS.has(key) && head.event !== 'history_mutation') continue;
      this.#define(line, key, value);
    }
    line.time = head.time;
    line.timestamp = head.timestamp;
    line.sessionId = head.sessionId;
    this.#memory.hear(line as unknown as Entry);
    return line as unknown as SessionLogEntry;
  }

  #restoreScope(event: string, fields: EntryFields, same: string): void {
    const { scope } = this.#memory;
    if (RESTATING.has(event)) for (const [field] of SCOPE_FIELDS) delete scope[field];
    for (const [field, letter] of SCOPE_FIELDS) {
      if (same.includes(letter)) fields[field] = scope[field];
      else if (field in fields && !PASSED_OVER.has(event)) scope[field] = fields[field];
    }
  }

  #deltas(head: Head, fields: EntryFields): SessionLogEntry[] {
    const { n: _n, t: _t, s: _s, event: _event, lengths, delta: joined, ...scope } = fields;
    const delta = typeof joined === 'string' ? joined : '';
    this.#memory.hear({ n: head.n, time: head.time, event: head.event, delta });
    if (!this.#isWhole) return [{ ...head, ...scope, delta }];
    const deltas = Array.isArray(lengths) ? cut(delta, sizesOf(lengths)) : [delta];
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
    const copy = value as EntryFields;
    for (const key in copy) {
      if (typeof copy[key] === 'object') copy[key] = this.#deep(copy[key]);
    }
    return copy;
  }

  #textOf(value: object): string | undefined {
    const { $d, $k, $t, before } = value as Readonly<Record<string, unknown>>;
    if ($d === 1) return this.#memory.said;
    if ($k === 1) return this.#memory.thought;
    if ($t === undefined) return undefined;
    const text = this.#memory.textAt($t) ?? '';
    return typeof before === 'string' ? before + text : text;
  }
}

/** Fields of a line that stand in the head of its entry. */
const HEAD_FIELDS: ReadonlySet<string> = new Set(['n', 't', 's', 'event']);

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
    // The caller counts what it cannot read.
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

/** The pieces of one line, numbered on from the first one's `sequence`. */
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

/** `[50, 10]` stands for ten pieces of fifty characters. */
function sizesOf(runs: readonly unknown[]): number[] {
  return runs.flatMap((run) =>
    Array.isArray(run) ? Array.from({ length: Number(run[1]) }, () => Number(run[0])) : Number(run),
  );
}

let lastMillisecond = -1;
let lastTimestamp = '';

/** Many entries share a millisecond, and formatting it is most of the cost of a small one. */
function timestampOf(time: number): string {
  if (time !== lastMillisecond) {
    lastMillisecond = time;
    lastTimestamp = new Date(time).toISOString();
  }
  return lastTimestamp;
}
