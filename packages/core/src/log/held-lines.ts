import type { Entry } from './entry.ts';
import { PayloadTexts } from './payload-texts.ts';
import type { RedactStream } from './redact/redact-stream.ts';
import type { Redactor } from './redact/redactor.ts';

/** Streamed entries that share a line: its first piece, and the values of all of them. */
export interface HeldLine {
  readonly first: Entry;
  readonly values: unknown[];
  /** What may be written of each value; absent where nothing is redacted. */
  clean?: unknown[];
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
    return (this.#text?.stream.held ?? 0) === 0 && this.#payloads?.isClear !== false;
  }

  /** The line this piece may join; undefined when it has to begin one. */
  lineFor(event: string, executionId: unknown, round: unknown): HeldLine | undefined {
    for (const line of this.#lines) {
      const { first } = line;
      if (first.event === event && first.executionId === executionId && first.round === round) {
        return line;
      }
    }
    return undefined;
  }

  /** True when the piece must not wait beside what is held, nor continue its text. */
  mustFlushFor(event: string, executionId: unknown, round: unknown): boolean {
    const kind = PIECES[event];
    const held = this.#lines.find(({ first }) => PIECES[first.event] === kind)?.first;
    const open = held ?? (kind === 'delta' ? this.#text?.first : undefined);
    if (open === undefined) return false;
    return open.event !== event || open.executionId !== executionId || open.round !== round;
  }

  begin(first: Entry): HeldLine {
    const line = { first, values: [], ...(this.#redactor && { clean: [] }) };
    this.#lines.push(line);
    return line;
  }

  add(line: HeldLine, value: unknown): void {
    this.#size += typeof value === 'string' ? value.length + 1 : PAYLOAD_SIZE;
    line.values.push(value);
    if (!this.#redactor) return;
    if (PIECES[line.first.event] === 'payload') this.#payloads?.add(value);
    else {
      this.#text ??= { first: line.first, stream: this.#redactor.createStream() };
      line.clean?.push(this.#text.stream.push(String(value)));
    }
  }

  /**
   * What is to be written now. Of what is not over, the end that may be a part of a secret stays behind and is
   * written with what follows it.
   */
  take(over: StreamEnd): HeldLine[] {
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
      if (PIECES[line.first.event] !== 'payload' || !this.#payloads) continue;
      line.clean = this.#payloads.take(line.values, { isFinal });
    }
    return lines;
  }

  /** The first piece of a text whose end is held back while no line of it is; the end needs a line of its own. */
  get stranded(): Entry | undefined {
    if (!this.#text || this.#text.stream.held === 0 || this.#lines.some(isText)) return undefined;
    return this.#text.first;
  }
}

/** Payloads are not measured one by one. */
const PAYLOAD_SIZE = 200;

function isText({ first }: HeldLine): boolean {
  return PIECES[first.event] === 'delta';
}

function endText(lines: readonly HeldLine[], rest: string): void {
  const line = lines.find(isText);
  if (!line?.clean) return;
  const last = Math.max(0, line.clean.length - 1);
  line.clean[last] = String(line.clean[last] ?? '') + rest;
}
