import { type SearchTerm, type SearchTerms, spaceCharacters } from '../reading/search-words.ts';

/** The terms in the language of FTS5. Identifiers and paths are phrases of their parts, so that parts are found too. */
export function matchExpression({ wanted, unwanted }: SearchTerms): string {
  const positive = wanted.map(phrase).join(' AND ');
  return [positive, ...unwanted.map((term) => `NOT ${phrase(term)}`)].join(' ');
}

function phrase({ text, isPrefix }: SearchTerm): string {
  const words = spaceCharacters(text).replaceAll('"', ' ').replaceAll('\0', ' ').trim();
  return `"${words}"${isPrefix ? '*' : ''}`;
}
