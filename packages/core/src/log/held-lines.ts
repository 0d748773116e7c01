import type { Entry } from './entry.ts';

/** Streamed entries that share a line: its first piece, and the values of all of them. */
export interface HeldLine {
  readonly first: Entry;
  readonly values: unknown[];
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

/**
 * The lines that are being collected. Pieces of one kind and one round join a line and share its number; text and
 * thinking never wait side by side, because their order is what a reader folds.
 */
export class HeldLines {
  #lines: HeldLine[] = [];
  #size = 0;

  /** About how many characters are waiting. */
  get size(): number {
    return this.#size;
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

  /** True when the piece must not wait beside what is held. */
  mustFlushFor(event: string): boolean {
    return (
      PIECES[event] === 'delta' &&
      this.#lines.some(({ first }) => PIECES[first.event] === 'delta' && first.event !== event)
    );
  }

  begin(first: Entry): HeldLine {
    const line = { first, values: [] };
    this.#lines.push(line);
    return line;
  }

  add(line: HeldLine, value: unknown): void {
    this.#size += typeof value === 'string' ? value.length + 1 : PAYLOAD_SIZE;
    line.values.push(value);
  }

  take(): HeldLine[] {
    const lines = this.#lines;
    this.#lines = [];
    this.#size = 0;
    return lines;
  }
}

/** Payloads are not measured one by one. */
const PAYLOAD_SIZE = 200;
