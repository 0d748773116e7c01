import { LOOK_BEHIND, Scanner } from './scan.ts';
import { SECRET_RULES } from './secret-rules.ts';

/** Redacts a text that comes in pieces: what it gives, put together, is what the whole text would have become. */
export interface RedactStream {
  /** Takes a piece and gives what can be told of the text so far. */
  push(piece: string): string;
  /** The text is over: gives the rest. The stream may be used for another text afterwards. */
  flush(): string;
  /** Characters that are held back because a secret may begin there; at most 4,096. */
  readonly held: number;
  /** Characters that were looked at so far, those looked at again counted again. */
  readonly scanned: number;
}

/** While much is held back, it is looked at again only after it has grown by this part: many small pieces stay cheap. */
const GROWTH_SHIFT = 4;

export class StreamRedaction implements RedactStream {
  readonly #replace: (kind: string, value: string) => string;
  #scanner: Scanner;
  /** Text already given, kept for rules that look behind, then the text held back. */
  #buffer = '';
  #givenUpTo = 0;
  #lookAgainAt = 0;
  #scanned = 0;

  constructor(replace: (kind: string, value: string) => string) {
    this.#replace = replace;
    this.#scanner = new Scanner(SECRET_RULES, replace);
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
    this.#scanner = new Scanner(SECRET_RULES, this.#replace);
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

/** A text that is joined like this lies in one piece, and its characters are read twice as fast. */
function joinFlat(before: string, piece: string): string {
  if (before === '') return piece;
  return piece.length < SHORT_TEXT ? before + piece : [before, piece].join('');
}
