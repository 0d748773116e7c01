/**
 * Text with spaces around every character of a script that is written without them, so that each is a word of its
 * own and a phrase of them finds any stretch.
 */
export function spaceCharacters(text: string): string {
  return MAYBE_SPACELESS.test(text) && SPACELESS.test(text)
    ? text.replace(ALL_SPACELESS, ' $& ')
    : text;
}

/** One character of a script that is written without spaces, as a regular expression with the flag `u`. */
export const SPACELESS_SOURCE =
  '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々〆]';
/** Below are only scripts with spaces; this is asked in a fraction of the time. */
const MAYBE_SPACELESS = /[\u0e00-\uffff]/;
const SPACELESS = new RegExp(SPACELESS_SOURCE, 'u');
const ALL_SPACELESS = new RegExp(SPACELESS_SOURCE, 'gu');

/** A part of a query. */
export interface SearchTerm {
  readonly text: string;
  readonly isPrefix: boolean;
}

export interface SearchTerms {
  readonly wanted: readonly SearchTerm[];
  readonly unwanted: readonly SearchTerm[];
  /** Why the query cannot be answered, in a sentence for a person. */
  readonly problem?: string;
}

/** Shorter beginnings match so much that finding them takes seconds. */
const SHORTEST_PREFIX = 4;

/** What a person typed, as terms: `"…"` stays together, `x*` is a beginning, `-x` is left out. */
export function parseSearch(query: string): SearchTerms {
  const wanted: SearchTerm[] = [];
  const unwanted: SearchTerm[] = [];
  for (const match of query.matchAll(/(-?)"([^"]*)"(\*?)|(\S+)/g)) {
    const { text, isUnwanted, isPrefix } = readTerm(match);
    if (!HAS_WORD.test(text)) continue;
    if (isPrefix && text.length < SHORTEST_PREFIX && !SPACELESS.test(text)) {
      const problem = `A prefix needs at least ${SHORTEST_PREFIX} characters before the *: ${text}*`;
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
