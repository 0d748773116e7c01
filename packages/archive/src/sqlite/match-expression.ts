import { type SearchTerm, type SearchTerms, spaceCharacters } from '../reading/search-words.ts';

/** The terms as an FTS5 query. Identifiers and paths are phrases of their parts, so that parts match too. */
export function matchExpression({ wanted, unwanted }: SearchTerms): string {
  const positive = wanted.map(phrase).join(' AND ');
  return [positive, ...unwanted.map((term) => `NOT ${phrase(term)}`)].join(' ');
}

function phrase({ text, isPrefix }: SearchTerm): string {
  const words = spaceCharacters(text).replaceAll('"', ' ').replaceAll('\0', ' ').trim();
  return `"${words}"${isPrefix ? '*' : ''}`;
}
