import { type CharacterSet, isIn, type SourceText } from './characters.ts';

/** Finds where a secret ends, reading every character once, in as many pieces as they come. */
export interface SecretEnd {
  /** Reads on from `from`; gives the end, or -1 when all of `text` belongs to the secret so far. The end may lie up to `unsure` before `from`. */
  feed(text: SourceText, from: number): number;
  /** How many of the last characters read may turn out not to belong to it. */
  readonly unsure: number;
}

/** A secret that consists of one set of characters; a final dot is the end of a sentence. */
export function runOf(set: CharacterSet): SecretEnd {
  let dots = 0;
  return {
    feed(text, from) {
      for (let at = from; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (!isIn(set, code)) return at - dots;
        dots = code === 46 && dots < 8 ? dots + 1 : 0;
      }
      return -1;
    },
    get unsure() {
      return dots;
    },
  };
}

/** A secret that goes on until one of the characters for which `stops` is true. */
export function until(stops: (code: number) => boolean): SecretEnd {
  return {
    feed(text, from) {
      for (let at = from; at < text.length; at++) {
        if (stops(text.charCodeAt(at))) return at;
      }
      return -1;
    },
    unsure: 0,
  };
}

/** A secret of known length. */
export function exactly(length: number): SecretEnd {
  let left = length;
  return {
    feed(text, from) {
      const there = Math.min(left, text.length - from);
      left -= there;
      return left === 0 ? from + there : -1;
    },
    unsure: 0,
  };
}

/**
 * A quoted secret whose opening quote has `depth` backslashes before it (1 in JSON in JSON, then 3, 7 …).
 * In such text a quote closes when it has as many before it, or more by whole escaped backslashes; with fewer, the
 * text around it ends. Without any escaping a line end closes too, except in backquotes.
 */
export function quoted(quote: number, depth: number): SecretEnd {
  let backslashes = 0;
  const step = 2 * (depth + 1);
  const lineEnds = depth === 0 && quote !== 96;
  const held = (count: number) => Math.min(count % step, depth);
  return {
    feed(text, from) {
      for (let at = from; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 92) {
          backslashes++;
          continue;
        }
        if (code === quote && (backslashes % step === depth || backslashes < depth)) {
          return at - held(backslashes);
        }
        if (lineEnds && (code === 10 || code === 13)) return at;
        backslashes = 0;
      }
      return -1;
    },
    get unsure() {
      return held(backslashes);
    },
  };
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
