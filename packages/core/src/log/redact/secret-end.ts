import { type CharacterSet, isIn, type SourceText } from './characters.ts';

/** Finds where a secret ends, reading every character once, in as many pieces as they come. */
export interface SecretEnd {
  /** Reads on from `from`; gives the end, or -1 when all of `text` belongs to the secret so far. The end may lie up to `unsure` before `from`. */
  feed(text: SourceText, from: number): number;
  /** How many of the last characters read may turn out not to belong to it. */
  readonly unsure: number;
}

/** A secret that consists of one set of characters; a final dot is the end of a sentence. */
export const runOf = (set: CharacterSet): SecretEnd => new RunEnd(set);

/** A secret that goes on until one of the characters for which `stops` is true. */
export const until = (stops: (code: number) => boolean): SecretEnd => new StopEnd(stops);

/** A secret of known length. */
export const exactly = (length: number): SecretEnd => new LengthEnd(length);

/**
 * A quoted secret whose opening quote has `depth` backslashes before it (1 in JSON in JSON, then 3, 7 …).
 * In such text a quote closes when it has as many before it, or more by whole escaped backslashes; with fewer, the
 * text around it ends. Without any escaping a line end closes too, except in backquotes.
 */
export const quoted = (quote: number, depth: number): SecretEnd => new QuoteEnd(quote, depth);

class RunEnd implements SecretEnd {
  readonly #set: CharacterSet;
  #dots = 0;

  constructor(set: CharacterSet) {
    this.#set = set;
  }

  get unsure(): number {
    return this.#dots;
  }

  feed(text: SourceText, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (!isIn(this.#set, code)) return at - this.#dots;
      this.#dots = code === 46 && this.#dots < 8 ? this.#dots + 1 : 0;
    }
    return -1;
  }
}

class StopEnd implements SecretEnd {
  readonly unsure = 0;
  readonly #stops: (code: number) => boolean;

  constructor(stops: (code: number) => boolean) {
    this.#stops = stops;
  }

  feed(text: SourceText, from: number): number {
    for (let at = from; at < text.length; at++) {
      if (this.#stops(text.charCodeAt(at))) return at;
    }
    return -1;
  }
}

class LengthEnd implements SecretEnd {
  readonly unsure = 0;
  #left: number;

  constructor(length: number) {
    this.#left = length;
  }

  feed(text: SourceText, from: number): number {
    const there = Math.min(this.#left, text.length - from);
    this.#left -= there;
    return this.#left === 0 ? from + there : -1;
  }
}

class QuoteEnd implements SecretEnd {
  readonly #quote: number;
  readonly #depth: number;
  #backslashes = 0;

  constructor(quote: number, depth: number) {
    this.#quote = quote;
    this.#depth = depth;
  }

  get unsure(): number {
    return Math.min(this.#backslashes % this.#step, this.#depth);
  }

  /** So many backslashes say one backslash in the innermost text. */
  get #step(): number {
    return 2 * (this.#depth + 1);
  }

  feed(text: SourceText, from: number): number {
    const endsWithLine = this.#depth === 0 && this.#quote !== 96;
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === 92) {
        this.#backslashes++;
        continue;
      }
      if (code === this.#quote && this.#isClosing()) return at - this.unsure;
      if (endsWithLine && (code === 10 || code === 13)) return at;
      this.#backslashes = 0;
    }
    return -1;
  }

  #isClosing(): boolean {
    return this.#backslashes % this.#step === this.#depth || this.#backslashes < this.#depth;
  }
}

export interface Beginning {
  /** At most `limit` characters of the value. */
  readonly value: string;
  /** The character behind it; empty when the value or the text goes no further. */
  readonly next: string;
}

/** As much of a value as is needed to judge it; undefined when the text must go on first. */
export function beginningOf(
  text: SourceText,
  start: number,
  {
    end,
    limit,
    final,
  }: { readonly end: SecretEnd; readonly limit: number; readonly final: boolean },
): Beginning | undefined {
  const seen = text.slice(start, start + limit);
  const at = end.feed(seen, 0);
  if (at === -1 && seen.length < limit && !final) return undefined;
  return at === -1
    ? { value: seen, next: '' }
    : { value: seen.slice(0, at), next: seen.slice(at, at + 1) };
}
