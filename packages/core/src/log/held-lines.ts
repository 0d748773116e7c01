import type { Entry } from './entry.ts';
import { PayloadTexts } from './payload-texts.ts';
import type { RedactStream } from './redact/redact-stream.ts';
import type { Redactor } from './redact/redactor.ts';

/** Streamed entries that share a line: its first piece, and the values of all of them. */
export interface HeldLine {
  readonly first: Entry;
  readonly isText: boolean;
  readonly values: unknown[];
  /** What may be written of the values; absent where nothing is redacted. Of a text it need not be cut like them. */
  clean: unknown[] | undefined;
  /** The pieces of a text joined, as far as they were looked through for secrets; absent where nothing is redacted. */
  said: string | undefined;
}

const PIECES: Readonly<Record<string, 'delta' | 'payload'>> = {
  provider_stream_raw_delta: 'delta',
  provider_thinking_delta: 'delta',
  provider_native_raw_payload: 'payload',
};

/** Whether an entry may wait for others of its kind before it is written. */
export function isStreamed(event: string, fields: Readonly<Record<string, unknown>>): boolean {
  const piece = PIECES[event];
  if (piece === 'delta') return typeof fields.delta === 'string';
  return piece === 'payload' && fields.payloadKind === 'stream_event';
}

/** What is over when lines are taken: a text before its round goes on with thinking, the whole round, or neither. */
export type StreamEnd = 'nothing' | 'text' | 'round';

/** A text that comes in pieces, over however many lines. */
interface OpenText {
  readonly first: Entry;
  readonly stream: RedactStream;
  /** The line of its last pieces, and how many of them were looked through for secrets. */
  line: HeldLine;
  seen: number;
}

/**
 * The lines that are being collected. Pieces of one kind and one round join a line and share its number; text and
 * thinking never wait side by side, because their order is what a reader folds. What may be the beginning of a
 * secret is held back until it is known, over the end of a line if need be.
 */
export class HeldLines {
  readonly #redactor: Redactor | undefined;
  readonly #payloads: PayloadTexts | undefined;
  #lines: HeldLine[] = [];
  #size = 0;
  #text: OpenText | undefined;

  constructor(redactor?: Redactor) {
    this.#redactor = redactor;
    this.#payloads = redactor && new PayloadTexts(redactor);
  }

  /** About how many characters are waiting. */
  get size(): number {
    return this.#size;
  }

  /** False while the end of what came so far may be a part of a secret. */
  get isClear(): boolean {
    this.#lookThrough();
    return (this.#text?.stream.held ?? 0) === 0 && this.#payloads?.isClear !== false;
  }

  /** The line this piece may join; undefined when it has to begin one. */
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

  /** True when the piece must not wait beside what is held, nor continue its text. */
  mustFlushFor(event: string, executionId: unknown, round: unknown): boolean {
    const kind = PIECES[event];
    let open = kind === 'delta' ? this.#text?.first : undefined;
    for (const { first } of this.#lines) if (PIECES[first.event] === kind) open = first;
    if (open === undefined) return false;
    return open.event !== event || open.executionId !== executionId || open.round !== round;
  }

  begin(first: Entry): HeldLine {
    const isText = PIECES[first.event] === 'delta';
    const line = { first, isText, values: [], clean: this.#redactor && [], said: undefined };
    this.#lines.push(line);
    return line;
  }

  /** A piece of text is looked through for secrets later, with the others of its line. */
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
    this.#lookThrough();
    const { first = line.first, stream = redactor.createStream() } = this.#text ?? {};
    this.#text = { first, stream, line, seen: 0 };
  }

  /** All pieces since the last time at once: looking at each of them when it comes would cost ten times as much. */
  #lookThrough(): void {
    const text = this.#text;
    if (!text || text.seen === text.line.values.length) return;
    const { line, stream, seen } = text;
    const fresh = (seen === 0 ? line.values : line.values.slice(seen)).join('');
    text.seen = line.values.length;
    line.said = line.said === undefined ? fresh : line.said + fresh;
    line.clean?.push(stream.push(fresh));
  }

  /**
   * What is to be written now. Of what is not over, the end that may be a part of a secret stays behind and is
   * written with what follows it.
   */
  take(over: StreamEnd): HeldLine[] {
    this.#lookThrough();
    const lines = this.#lines;
    this.#lines = [];
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

  /** The first piece of a text whose end is held back while no line of it is; the end needs a line of its own. */
  get stranded(): Entry | undefined {
    this.#lookThrough();
    if (!this.#text || this.#text.stream.held === 0 || this.#lines.some(({ isText }) => isText))
      return undefined;
    return this.#text.first;
  }
}

/** Payloads are not measured one by one. */
const PAYLOAD_SIZE = 100;

function endText(lines: readonly HeldLine[], rest: string): void {
  const line = lines.find(({ isText }) => isText);
  if (!line?.clean) return;
  const last = Math.max(0, line.clean.length - 1);
  line.clean[last] = String(line.clean[last] ?? '') + rest;
}
