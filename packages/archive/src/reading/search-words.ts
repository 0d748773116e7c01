/**
 * Adds spaces around every character of a script written without them, so that each is a word and a phrase of them
 * matches any substring.
 */
export function spaceCharacters(text: string): string {
  return MAYBE_SPACELESS.test(text) && SPACELESS.test(text)
    ? text.replace(ALL_SPACELESS, ' $& ')
    : text;
}

/** One character of a script written without spaces, for a regular expression with the flag `u`. */
export const SPACELESS_SOURCE =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆]';
/** A fast pre-check: all scripts without spaces are in this range. */
const MAYBE_SPACELESS = /[\u0e00-\uffff]/;
const SPACELESS = new RegExp(SPACELESS_SOURCE, 'u');
const ALL_SPACELESS = new RegExp(SPACELESS_SOURCE, 'gu');

export interface SearchTerm {
  readonly text: string;
  readonly isPrefix: boolean;
}

export interface SearchTerms {
  readonly wanted: readonly SearchTerm[];
  readonly unwanted: readonly SearchTerm[];
  /** Why the query is invalid, as a sentence for the user. */
  readonly problem?: string;
}

/** Shorter prefixes match so much that searching takes seconds. */
const MIN_PREFIX_LENGTH = 4;

/** Parses a query into terms: `"…"` is a phrase, `x*` a prefix, `-x` is excluded. */
export function parseSearch(query: string): SearchTerms {
  const wanted: SearchTerm[] = [];
  const unwanted: SearchTerm[] = [];
  for (const match of query.matchAll(/(-?)"([^"]*)"(\*?)|(\S+)/g)) {
    const { text, isUnwanted, isPrefix } = readTerm(match);
    if (!HAS_WORD.test(text)) continue;
    if (isPrefix && text.length < MIN_PREFIX_LENGTH && !SPACELESS.test(text)) {
      const problem = `A prefix needs at least ${MIN_PREFIX_LENGTH} characters before the *: ${text}*`;
      return { wanted: [], unwanted: [], problem };
    }
    (isUnwanted ? unwanted : wanted).push({ text, isPrefix });
  }
  if (wanted.length > 0) return { wanted, unwanted };
  const problem =
    unwanted.length > 0
      ? 'A search takes at least one word that is wanted.'
      : 'A search takes at least one word.';
  return { wanted, unwanted, problem };
}

const HAS_WORD = /[\p{L}\p{N}]/u;

function readTerm([, sign, phrase, star, word]: RegExpExecArray) {
  if (phrase !== undefined) {
    return { text: phrase, isUnwanted: sign === '-', isPrefix: star === '*' };
  }
  const given = word ?? '';
  const isUnwanted = given.length > 1 && given.startsWith('-') && !given.startsWith('--');
  const bare = isUnwanted ? given.slice(1) : given;
  const isPrefix = bare.length > 1 && bare.endsWith('*');
  return { text: isPrefix ? bare.slice(0, -1) : bare, isUnwanted, isPrefix };
}
