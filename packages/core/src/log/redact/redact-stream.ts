import { LOOK_BEHIND, Scanner } from './scan.ts';
import { secretRules } from './secret-rules.ts';

/** Redacts a streamed text: the joined output equals the redacted complete text. */
export interface RedactStream {
  /** Adds a piece and returns the redacted text that is final so far. */
  push(piece: string): string;
  /** Ends the text and returns the rest. The stream can then be used for another text. */
  flush(): string;
  /** Characters that are held back because a secret may begin there; at most 4,096. */
  readonly held: number;
  /** Number of characters scanned so far, rescans included. */
  readonly scanned: number;
}

/**
 * A large held-back part is rescanned only after it has grown by this fraction, so that many small pieces stay cheap.
 */
const GROWTH_SHIFT = 4;

export class StreamRedaction implements RedactStream {
  readonly #replace: (kind: string, value: string) => string;
  #scanner: Scanner;
  /** Text already returned, kept for rules that look behind, then the text held back. */
  #buffer = '';
  #givenUpTo = 0;
  #lookAgainAt = 0;
  #scanned = 0;

  constructor(replace: (kind: string, value: string) => string) {
    this.#replace = replace;
    this.#scanner = new Scanner(secretRules(), replace);
  }

  get held(): number {
    return this.#buffer.length - this.#givenUpTo;
  }

  get scanned(): number {
    return this.#scanned;
  }

  push(piece: string): string {
    this.#buffer = joinFlat(this.#buffer, piece);
    if (this.#buffer.length < this.#lookAgainAt) return '';
    return this.#take(false);
  }

  flush(): string {
    const rest = this.#take(true);
    this.#scanner = new Scanner(secretRules(), this.#replace);
    this.#buffer = '';
    this.#givenUpTo = 0;
    this.#lookAgainAt = 0;
    return rest;
  }

  #take(final: boolean): string {
    const text = this.#buffer;
    this.#scanned += this.#scanner.unread(text.length, this.#givenUpTo);
    const { clean, position } = this.#scanner.scan(text, this.#givenUpTo, final);
    const given = clean ?? text.slice(this.#givenUpTo, position);
    const cut = Math.max(0, position - LOOK_BEHIND);
    this.#buffer = text.slice(cut);
    this.#givenUpTo = position - cut;
    this.#scanner.shift(cut);
    // Inside of a secret nothing is read twice, so every piece may be looked at.
    const growth = this.#scanner.isInside ? 0 : this.held >> GROWTH_SHIFT;
    this.#lookAgainAt = this.#buffer.length + growth;
    return given;
  }
}

/** Shorter texts are joined as they are. */
const SHORT_TEXT = 256;

/** Joins into a flat string, whose characters are read twice as fast. */
function joinFlat(before: string, piece: string): string {
  if (before === '') return piece;
  return piece.length < SHORT_TEXT ? before + piece : [before, piece].join('');
}
