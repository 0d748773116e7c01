/** A stretch of text, and whether it is what was searched for. */
export interface MarkedText {
  readonly text: string;
  readonly hit: boolean;
}

/** Cuts a text where the words of a search stand in it, in any case; never markup. */
export function markHits(text: string, query: string): MarkedText[] {
  const words = wordsOf(query);
  if (words.length === 0) return [{ text, hit: false }];
  const pattern = new RegExp(`(${words.map(escapeWord).join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

/** Phrases whole; what must not be there is no hit. */
function wordsOf(query: string): string[] {
  const found = query.matchAll(/(-?)(?:"([^"]+)"|(\S+))/gu);
  const words = [...found].flatMap(([, minus, phrase, word = '']) =>
    minus ? [] : [phrase ?? word.replace(/\*$/, '')],
  );
  // The longest first, or a word hides the phrase that begins with it.
  return words.filter((word) => word.trim() !== '').sort((one, other) => other.length - one.length);
}

function escapeWord(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
