/** A piece of text, and whether it matches the search. */
export interface MarkedText {
  readonly text: string;
  readonly hit: boolean;
}

/** Splits a text at the words of a search, ignoring case; returns plain text, never markup. */
export function markHits(text: string, query: string): MarkedText[] {
  const words = wordsOf(query);
  if (words.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`(${words.map(escapeWord).join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Words and quoted phrases of a query; excluded words are left out. */
function wordsOf(query: string): string[] {
  const found = query.matchAll(/(-?)(?:"([^"]+)"|(\S+))/gu);
  const words = [...found].flatMap(([, minus, phrase, word = '']) =>
    minus ? [] : [phrase ?? word.replace(/\*$/, '')],
  );
  // Longest first, so that a phrase wins over its first word.
  return words.filter((word) => word.trim() !== '').sort((one, other) => other.length - one.length);
}

function escapeWord(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
