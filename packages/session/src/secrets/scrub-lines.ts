import {
  type PayloadRows,
  PayloadTexts,
  packPayloads,
  type Redactor,
  type RedactStream,
  unpackPayloads,
} from '@robota-sdk/agent-core/log';

type Line = Record<string, unknown>;

export interface LineScrubberOptions {
  readonly redactor: Redactor;
  /** Restores values that were moved out of a line. */
  readonly resolve: (value: unknown) => unknown;
  /** Updates references to point to scrubbed payload files. */
  readonly relink: (line: Line) => Line;
}

interface WaitingDelta {
  readonly raw: string;
  clean: string;
  /** The stream it belongs to. */
  readonly stream: string;
}

/** A line that waits until its text is certain. */
interface WaitingLine {
  readonly text: string;
  readonly line: Line | undefined;
  /** Original and redacted text of a delta line. */
  delta?: WaitingDelta;
  /** The payloads of a line of streamed payloads. */
  payloads?: readonly unknown[];
}

const DELTA_EVENTS: ReadonlySet<unknown> = new Set([
  'provider_stream_raw_delta',
  'provider_thinking_delta',
  'text_delta',
]);
const PAYLOAD_EVENT = 'provider_native_raw_payload';
/** Maximum number of waiting lines; beyond it the text is flushed. */
const MAX_WAITING = 10_000;

/** Removes secrets from the lines of a log of any version; a line without secrets is returned byte for byte. */
export class LineScrubber {
  readonly #options: LineScrubberOptions;
  readonly #streams = new Map<string, RedactStream>();
  readonly #payloads: PayloadTexts;
  #waiting: WaitingLine[] = [];

  constructor(options: LineScrubberOptions) {
    this.#options = options;
    this.#payloads = new PayloadTexts(options.redactor);
  }

  /** Returns the lines that are final now, without line ends. */
  push(text: string): string[] {
    const line = parse(text);
    if (line === undefined) return [...this.flush(), this.#options.redactor.redactText(text)];
    if (DELTA_EVENTS.has(line.event)) return this.#pushDelta(text, line);
    if (line.event === PAYLOAD_EVENT && line.payloadKind === 'stream_event') {
      return this.#pushPayloads(text, line);
    }
    return [...this.flush(), this.#redactLine(text, line)];
  }

  /** Ends all streamed texts. */
  flush(): string[] {
    for (const [name, stream] of this.#streams) {
      const rest = stream.flush();
      const last = this.#waiting.findLast(({ delta }) => delta?.stream === name);
      if (last?.delta) last.delta.clean += rest;
    }
    this.#streams.clear();
    return this.#release({ isFinal: true });
  }

  #pushDelta(text: string, line: Line): string[] {
    const raw = this.#options.resolve(line.delta);
    // A short line that only refers to the previous one is released with it.
    if (typeof raw !== 'string') this.#waiting.push({ text, line });
    else {
      const stream = String(line.event);
      const clean = this.#stream(stream).push(raw);
      this.#waiting.push({ text, line, delta: { raw, clean, stream } });
    }
    return this.#releaseIfClear();
  }

  #pushPayloads(text: string, line: Line): string[] {
    const payloads = payloadsOf(this.#options.resolve(line) as Line);
    for (const payload of payloads) this.#payloads.add(payload);
    this.#waiting.push({ text, line, payloads });
    return this.#releaseIfClear();
  }

  #stream(name: string): RedactStream {
    const known = this.#streams.get(name) ?? this.#options.redactor.createStream();
    this.#streams.set(name, known);
    return known;
  }

  #releaseIfClear(): string[] {
    const isClear = [...this.#streams.values()].every(({ held }) => held === 0);
    if (isClear && this.#payloads.isClear) return this.#release({ isFinal: false });
    return this.#waiting.length >= MAX_WAITING ? this.flush() : [];
  }

  #release(options: { readonly isFinal: boolean }): string[] {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const event of DELTA_EVENTS)
      keepCuts(
        waiting.flatMap(({ delta }) => delta ?? []),
        event,
      );
    const payloads = waiting.flatMap(({ payloads: own = [] }) => own);
    const clean = this.#payloads.take(payloads, options);
    let at = 0;
    return waiting.map((each) => {
      if (!each.payloads) return this.#written(each);
      at += each.payloads.length;
      return this.#writtenPayloads(each, clean.slice(at - each.payloads.length, at));
    });
  }

  #written({ text, line, delta }: WaitingLine): string {
    if (!line || !delta) return line ? this.#redactLine(text, line) : text;
    if (delta.clean === delta.raw) return this.#redactLine(text, line, ['delta']);
    // A text that was stored outside the line is written inline.
    const { delta: _delta, ...rest } = line;
    return JSON.stringify({ ...this.#redacted(rest, []), delta: delta.clean });
  }

  #writtenPayloads({ text, line = {}, payloads = [] }: WaitingLine, clean: unknown[]): string {
    const isSame = clean.every((payload, index) => payload === payloads[index]);
    const fields = ['payload', 'payloads', 'first', 'paths', 'rows'];
    if (isSame) return this.#redactLine(text, line, fields);
    const { payload: _payload, payloads: list, first: _first, paths: _paths, rows, ...rest } = line;
    const packed = list === undefined && rows !== undefined ? packPayloads(clean) : undefined;
    const written = packed ?? (list === undefined ? { payload: clean[0] } : { payloads: clean });
    return JSON.stringify({ ...this.#redacted(rest, []), ...written });
  }

  #redactLine(text: string, line: Line, except: readonly string[] = []): string {
    const clean = this.#redacted(line, except);
    return clean === line ? text : JSON.stringify(clean);
  }

  #redacted(line: Line, except: readonly string[]): Line {
    const linked = this.#options.relink(line);
    if (except.length === 0) return this.#options.redactor.redactValue(linked);
    const kept = Object.fromEntries(except.map((field) => [field, undefined]));
    const bare = { ...linked, ...kept };
    const clean = this.#options.redactor.redactValue(bare);
    if (clean === bare) return linked;
    const left = except.filter((field) => field in linked);
    return { ...clean, ...Object.fromEntries(left.map((field) => [field, linked[field]])) };
  }
}

/** If nothing was redacted, every line keeps its own part of the text. */
function keepCuts(deltas: readonly WaitingDelta[], event: unknown): void {
  const own = deltas.filter(({ stream }) => stream === event);
  const isSame = own.map(({ raw }) => raw).join('') === own.map(({ clean }) => clean).join('');
  if (isSame) for (const delta of own) delta.clean = delta.raw;
}

function payloadsOf({ payload, payloads, first, paths, rows }: Line): readonly unknown[] {
  if (Array.isArray(payloads)) return payloads;
  if (Array.isArray(rows)) return unpackPayloads({ first, paths, rows } as PayloadRows);
  return [payload];
}

function parse(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch {
    // A damaged line is redacted as text.
    return undefined;
  }
}
