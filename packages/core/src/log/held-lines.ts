import type { Entry } from './entry.ts';
import { PayloadTexts } from './payload-texts.ts';
import type { RedactStream } from './redact/redact-stream.ts';
import type { Redactor } from './redact/redactor.ts';

/** Streamed entries that share a log line: the first entry, and the values of all. */
export interface HeldLine {
  readonly first: Entry;
  readonly isText: boolean;
  /** True if the first entry is a text delta of the engine with exactly the usual fields. */
  readonly isPlain: boolean;
  readonly values: unknown[];
  /** The redacted values; absent without a redactor. Redacted text need not be split like `values`. */
  clean: unknown[] | undefined;
  /** The text joined as far as it was scanned for secrets; absent without a redactor. */
  said: string | undefined;
}

const PIECES: Readonly<Record<string, 'delta' | 'payload'>> = {
  provider_stream_raw_delta: 'delta',
  provider_thinking_delta: 'delta',
  provider_native_raw_payload: 'payload',
};

/** Whether an entry may be buffered to share a line with others of its kind. */
export function isStreamed(event: string, fields: Readonly<Record<string, unknown>>): boolean {
  const piece = PIECES[event];
  if (piece === 'delta') return typeof fields.delta === 'string';
  return piece === 'payload' && fields.payloadKind === 'stream_event';
}

/** A text delta and its round. */
interface StreamedText {
  readonly executionId: string;
  readonly round: number;
  readonly delta: string;
}

/** What has ended when lines are taken: nothing, the text (its round goes on with thinking), or the round. */
export type StreamEnd = 'nothing' | 'text' | 'round';

/** A streamed text; it may span several lines. */
interface OpenText {
  readonly first: Entry;
  readonly stream: RedactStream;
  /** The line of its latest deltas, and how many of them were scanned for secrets. */
  line: HeldLine;
  seen: number;
}

/**
 * Buffers streamed entries. Entries of one kind and round share a line and its number; text and thinking are never
 * buffered together, because their order matters to folds. A possible start of a secret is held back until it can be
 * decided, across lines if needed.
 */
export class HeldLines {
  readonly #redactor: Redactor | undefined;
  readonly #payloads: PayloadTexts | undefined;
  #lines: HeldLine[] = [];
  #size = 0;
  #text: OpenText | undefined;
  /** The line that got the latest text delta. */
  #textLine: HeldLine | undefined;

  constructor(redactor?: Redactor) {
    this.#redactor = redactor;
    this.#payloads = redactor && new PayloadTexts(redactor);
  }

  /** Approximate number of buffered characters. */
  get size(): number {
    return this.#size;
  }

  /** False while the end of the buffered text may be part of a secret. */
  get isClear(): boolean {
    this.#scan();
    return (this.#text?.stream.held ?? 0) === 0 && this.#payloads?.isClear !== false;
  }

  /** The line this entry can share; undefined when it needs a new one. */
  lineFor(event: string, executionId: unknown, round: unknown): HeldLine | undefined {
    const lines = this.#lines;
    for (let index = lines.length - 1; index >= 0; index--) {
      const line = lines[index];
      const first = line?.first;
      if (first?.event === event && first.executionId === executionId && first.round === round) {
        return line;
      }
    }
    return undefined;
  }

  /** Adds a text delta to the current line and returns it; undefined when it needs a new line. */
  addText(event: string, piece: StreamedText): HeldLine | undefined {
    const line = this.#textLine;
    if (line === undefined) return undefined;
    const { first } = line;
    if (first.event !== event || first.executionId !== piece.executionId) return undefined;
    if (first.round !== piece.round) return undefined;
    line.values.push(piece.delta);
    this.#size += piece.delta.length + 1;
    return line;
  }

  /** True when the buffer must be flushed before this entry is added. */
  mustFlushFor(event: string, executionId: unknown, round: unknown): boolean {
    const kind = PIECES[event];
    let open = kind === 'delta' ? this.#text?.first : undefined;
    for (const { first } of this.#lines) if (PIECES[first.event] === kind) open = first;
    if (open === undefined) return false;
    return open.event !== event || open.executionId !== executionId || open.round !== round;
  }

  begin(first: Entry, { isPlain = false } = {}): HeldLine {
    const isText = PIECES[first.event] === 'delta';
    const clean = this.#redactor && [];
    const line = { first, isText, isPlain, values: [], clean, said: undefined };
    this.#lines.push(line);
    if (isText) this.#textLine = line;
    return line;
  }

  /** Text is scanned for secrets later, together with the rest of its line. */
  add(line: HeldLine, value: unknown): void {
    line.values.push(value);
    if (line.isText && typeof value === 'string') {
      this.#size += value.length + 1;
      if (this.#text?.line !== line && this.#redactor) this.#continueText(line, this.#redactor);
    } else {
      this.#size += PAYLOAD_SIZE;
      this.#payloads?.add(value);
    }
  }

  #continueText(line: HeldLine, redactor: Redactor): void {
    this.#scan();
    const { first = line.first, stream = redactor.createStream() } = this.#text ?? {};
    this.#text = { first, stream, line, seen: 0 };
  }

  /** Scans all deltas since the last scan at once; scanning each on arrival would cost ten times as much. */
  #scan(): void {
    const text = this.#text;
    if (!text || text.seen === text.line.values.length) return;
    const { line, stream, seen } = text;
    const fresh = (seen === 0 ? line.values : line.values.slice(seen)).join('');
    text.seen = line.values.length;
    line.said = line.said === undefined ? fresh : line.said + fresh;
    line.clean?.push(stream.push(fresh));
  }

  /**
   * Takes all buffered lines for writing. Unless its stream has ended, a possible start of a secret stays behind and is
   * written with the text that follows.
   */
  take(over: StreamEnd): HeldLine[] {
    this.#scan();
    const lines = this.#lines;
    this.#lines = [];
    this.#textLine = undefined;
    this.#size = 0;
    if (over !== 'nothing') {
      const rest = this.#text?.stream.flush() ?? '';
      this.#text = undefined;
      if (rest !== '') endText(lines, rest);
    }
    const isFinal = over === 'round';
    for (const line of lines) {
      if (!line.isText && this.#payloads) {
        line.clean = this.#payloads.take(line.values, { isFinal });
      }
    }
    return lines;
  }

  /**
   * The first entry of a text whose end is held back although none of its lines is buffered; the end needs a line of
   * its own.
   */
  get stranded(): Entry | undefined {
    this.#scan();
    if (!this.#text || this.#text.stream.held === 0 || this.#lines.some(({ isText }) => isText))
      return undefined;
    return this.#text.first;
  }
}

/** Assumed size of every payload; measuring each would cost too much. */
const PAYLOAD_SIZE = 100;

function endText(lines: readonly HeldLine[], rest: string): void {
  const line = lines.find(({ isText }) => isText);
  if (!line?.clean) return;
  const last = Math.max(0, line.clean.length - 1);
  line.clean[last] = String(line.clean[last] ?? '') + rest;
}
