import type { Entry, EntryFields } from './entry.ts';
import type { HeldLine } from './held-lines.ts';
import type { FoldedMessage, HistoryFold } from './history-fold.ts';
import { shareList } from './history-reference.ts';
import {
  FULL_SCOPE_EVENTS,
  isKnownMessage,
  LIST_FIELDS,
  LogMemory,
  MESSAGE_FIELDS,
  PARAMETER_FIELDS,
  SCHEMA_FIELDS,
  SCOPE_FIELDS,
  SKIPPED_EVENTS,
} from './log-memory.ts';
import { NativeRequestWriter } from './native-requests.ts';
import { packPayloads } from './payload-rows.ts';
import { runLengths } from './piece-lengths.ts';

/** Session and starting point of a log writer. */
export interface LogWriterOptions {
  readonly sessionId: string;
  /** Number of the last existing entry. */
  readonly after: number;
  /** The conversation so far; empty when left out. */
  readonly history?: HistoryFold<FoldedMessage> | undefined;
  /** Replaces secrets in a value before it is written; returns values without secrets unchanged. */
  readonly redact?: (<Value>(value: Value) => Value) | undefined;
  /** Moves large values out of a line. */
  readonly shrink?: ((line: EntryFields) => EntryFields) | undefined;
  /** Stores a value outside the log and returns the reference to write instead. */
  readonly store?: ((value: unknown) => unknown) | undefined;
}

/** Longer lines are passed to `shrink`. */
const LARGE_LINE = 8 * 1024;
/** Buffered text is flushed far below this size, so only a single huge delta is moved out of its line. */
const LARGE_TEXT = 4 * LARGE_LINE;
/** Larger tool schemas are stored outside the log, because every request and every session repeats them. */
const SMALL_SCHEMAS = 1024;
/** Shorter texts are written out instead of referred to. */
const SHORT_TEXT = 64;
/** Version of the log format, written in every header line. */
export const LOG_FORMAT = 2;

/** Turns entries into lines that contain only what earlier lines do not. */
export class LogWriter {
  readonly #options: LogWriterOptions;
  readonly #memory: LogMemory;
  readonly #requests = new NativeRequestWriter();

  constructor(options: LogWriterOptions) {
    this.#options = options;
    const { history, after } = options;
    // Entry numbers only increase, so using one as the epoch cannot collide with an earlier epoch.
    history?.beginEpoch(after);
    this.#memory = new LogMemory('writer', history);
    if (history === undefined) this.#memory.history.beginEpoch(after);
  }

  /** The first line of everything this writer writes. */
  header(): string {
    const { sessionId, after } = this.#options;
    const { epoch, messages } = this.#memory.history;
    const line = { log: LOG_FORMAT, sessionId, after, epoch, length: messages.length };
    return `${JSON.stringify(line)}\n`;
  }

  /** Line from which the log can be read without the lines before it, given the conversation. */
  checkpoint(): string {
    this.#memory.beginPart();
    return `${JSON.stringify({ log: LOG_FORMAT, part: true })}\n`;
  }

  write(entry: Entry): string {
    const line: EntryFields = {};
    for (const key in entry) {
      if (key === 'n' || key === 'time' || key === 'event') continue;
      const value = entry[key];
      if (value !== undefined) line[key] = this.#field(key, entry);
    }
    const text = this.#line(entry, line);
    this.#memory.remember(entry);
    return text;
  }

  /** The line of buffered entries; a text line is followed by a short one for spec 000's `text_delta`. */
  writeHeld(held: HeldLine): string {
    const { first, isText, values, clean = values } = held;
    if (isText) return this.#textLine(held);
    const { n: _n, time: _time, event: _event, payload: _payload, ...rest } = first;
    const payloads = clean.length > 1 ? packPayloads(clean) : { payload: clean[0] };
    return this.#line(first, this.#redacted(rest), { ...payloads });
  }

  /** Runs twenty times a second while a model streams, so it passes over the text only once. */
  #textLine(held: HeldLine): string {
    const { first, values, clean = values, said = values.join('') } = held;
    const { n, time, event } = first;
    const delta = clean === values ? said : clean.join('');
    // If nothing was redacted, the deltas keep their original lengths.
    const pieces = said === delta ? values : clean;
    const lengths = pieces.length > 1 ? runLengths(pieces) : undefined;
    let line: string;
    if (delta.length > LARGE_TEXT) {
      line = this.#line(first, this.#textFields(first), { delta, ...(lengths && { lengths }) });
    } else {
      const end = lengths ? `,"lengths":${JSON.stringify(lengths)}}\n` : '}\n';
      line = `${this.#textHead(held)},"delta":${quoted(delta)}${end}`;
    }
    this.#memory.rememberStreamed(n, event, said);
    if (event !== 'provider_stream_raw_delta') return line;
    return `${line}{"n":${n + 1},"t":${time},"event":"text_delta","of":${n}}\n`;
  }

  /** Everything before the text, with a fast path for engine deltas in an unchanged scope. */
  #textHead({ first, isPlain }: HeldLine): string {
    const { n, time, event, executionId, conversationId, round, sequence } = first;
    const { scope } = this.#memory;
    const isSame =
      isPlain &&
      executionId !== undefined &&
      executionId === scope.executionId &&
      conversationId !== undefined &&
      conversationId === scope.conversationId &&
      round !== undefined &&
      round === scope.round;
    if (isSame && Number.isSafeInteger(sequence)) {
      return `{"n":${n},"t":${time},"event":"${event}","s":"ecr","sequence":${String(sequence)}`;
    }
    const fields = this.#textFields(first);
    const head = this.#begin(first, fields);
    const body = toJson(fields);
    return body === '{}' ? head : `${head},${body.slice(1, -1)}`;
  }

  /** The engine's own ids and numbers are no secrets; any other field is redacted. */
  #textFields(first: Entry): EntryFields {
    const fields: EntryFields = {};
    let isKnown = true;
    for (const key in first) {
      if (TEXT_HEAD.has(key)) continue;
      fields[key] = first[key];
      isKnown &&= TEXT_SCOPE.has(key);
    }
    return isKnown ? fields : this.#redacted(fields);
  }

  #redacted(fields: EntryFields): EntryFields {
    return this.#options.redact?.(fields) ?? fields;
  }

  /** `more` is redacted already. */
  #line(entry: Entry, fields: EntryFields, more?: EntryFields): string {
    const head = this.#begin(entry, fields);
    const clean = more ? { ...fields, ...more } : this.#redacted(fields);
    let body = toJson(clean);
    if (body.length > LARGE_LINE && this.#options.shrink) {
      body = toJson(this.#options.shrink(clean));
    }
    return body === '{}' ? `${head}}\n` : `${head},${body.slice(1)}\n`;
  }

  /** The head of a line. Scope fields that did not change are removed from `fields`. */
  #begin({ n, time, event }: Entry, fields: EntryFields): string {
    const same = this.#leaveOutScope(event, fields);
    const scope = same === '' ? '' : `,"s":"${same}"`;
    return `{"n":${n},"t":${time},"event":${JSON.stringify(event)}${scope}`;
  }

  /** Omitted fields are set to undefined, which JSON drops; deleting them would cost far more. */
  #leaveOutScope(event: string, fields: EntryFields): string {
    const { scope } = this.#memory;
    const isRestated = FULL_SCOPE_EVENTS.has(event);
    let same = '';
    for (const [field, letter] of SCOPE_FIELDS) {
      if (fields[field] === undefined) {
        if (isRestated) scope[field] = undefined;
      } else if (!isRestated && scope[field] === fields[field]) {
        same += letter;
        fields[field] = undefined;
      } else if (!SKIPPED_EVENTS.has(event)) scope[field] = fields[field];
    }
    return same;
  }

  #field(key: string, entry: Entry): unknown {
    const value = entry[key];
    if (typeof value === 'string') return this.#text(value, entry.event !== 'prompt');
    if (typeof value !== 'object' || value === null) return value;
    if (MESSAGE_FIELDS.has(key)) return this.#message(value);
    // Readers derive it from `history`.
    if (key === 'historyStructure') return undefined;
    if (LIST_FIELDS.has(key) && Array.isArray(value)) return this.#list(value);
    if (SCHEMA_FIELDS.has(key)) return this.#schemas(value);
    if (key === 'payload' && entry.payloadKind === 'request') {
      return this.#deep(this.#requests.shorten(value));
    }
    if (key === PARAMETER_FIELDS[entry.event]) return this.#parameters(entry, value);
    return value;
  }

  #schemas(value: unknown): unknown {
    const n = this.#memory.schemaLine(value);
    if (n !== undefined) return { $s: n };
    const { store } = this.#options;
    const clean = this.#options.redact?.(value) ?? value;
    return store && toJson(clean).length > SMALL_SCHEMAS ? store(clean) : value;
  }

  #parameters(entry: Entry, value: unknown): unknown {
    if (entry.event === 'tool_execution_request') return value;
    const known = this.#memory.parametersOf(entry.toolCallId);
    const isKnown = known?.value === value || toJson(known?.value) === toJson(value);
    return known !== undefined && isKnown ? { $p: known.n } : value;
  }

  #list(list: readonly unknown[]): unknown {
    if (list.length === 0) return list;
    const { history, variants } = this.#memory;
    const shared = shareList(list as readonly FoldedMessage[], history.messages, variants);
    if (shared === undefined) return list.map((message) => this.#message(message));
    const { length, extra, ...rest } = shared;
    return {
      $h: [history.epoch, length],
      ...rest,
      ...(extra && { extra: extra.map((message) => this.#message(message)) }),
    };
  }

  #message(message: unknown): unknown {
    if (!isKnownMessage(message)) return this.#deep(message);
    const known = this.#memory.knownMessage(message.id);
    if (known === undefined) return this.#deep(message);
    if (known.message === message) return { $m: known.n };
    const set: EntryFields = {};
    for (const key in message) {
      const [now, before] = [message[key], known.message[key]];
      if (now !== before && toJson(now) !== toJson(before)) set[key] = this.#deep(now);
    }
    const unset = Object.keys(known.message).filter((key) => message[key] === undefined);
    return {
      $m: known.n,
      ...(Object.keys(set).length > 0 && { set }),
      ...(unset.length > 0 && { unset }),
    };
  }

  #deep(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value, true);
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (Array.isArray(value)) return value.map((item) => this.#deep(item));
    const copy: EntryFields = {};
    let isLikeReference = false;
    for (const key in value) {
      isLikeReference ||= key.startsWith('$');
      copy[key] = this.#deep((value as EntryFields)[key]);
    }
    // Foreign fields may look like our references.
    return isLikeReference ? { $x: copy } : copy;
  }

  #text(text: string, mayRefer: boolean): unknown {
    if (text.length < SHORT_TEXT || !mayRefer) return text;
    const { replyText, thinkingText, lastUser } = this.#memory;
    if (text === replyText) return { $d: 1 };
    if (text === thinkingText) return { $k: 1 };
    const place = this.#memory.placeOf(text);
    if (place !== undefined) return { $t: place };
    if (lastUser && lastUser.text.length >= SHORT_TEXT && text.endsWith(lastUser.text)) {
      return { $t: lastUser.place, before: text.slice(0, -lastUser.text.length) };
    }
    return text;
  }
}

const TEXT_HEAD: ReadonlySet<string> = new Set(['n', 'time', 'event', 'delta']);
const TEXT_SCOPE: ReadonlySet<string> = new Set([
  'executionId',
  'conversationId',
  'round',
  'sequence',
]);

const PLAIN_TEXT = /^[ !#-[\]-~]*$/;

/** JSON of a text. Most texts need no escapes, and checking that is twice as fast as `JSON.stringify`. */
function quoted(text: string): string {
  return PLAIN_TEXT.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** JSON of any value. Cycles and bigints become texts, because losing the line would be worse. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    const open: unknown[] = [];
    return JSON.stringify(value, function (this: unknown, _key: string, child: unknown) {
      if (typeof child === 'bigint') return child.toString();
      if (typeof child !== 'object' || child === null) return child;
      while (open.length > 0 && open.at(-1) !== this) open.pop();
      if (open.includes(child)) return '[Circular]';
      open.push(child);
      return child;
    });
  }
}
