import { useEffect } from 'react';

/** The name that `::highlight()` of the style sheet knows. */
const HIGHLIGHT = 'found-words';
/** More places in one block are not marked. */
const MOST = 500;

/** Words, phrases and beginnings of a search, as they would stand in a text. */
export function searchedWords(query: string): readonly string[] {
  const parts = query.match(/-?"[^"]+"|\S+/g) ?? [];
  return parts
    .filter((part) => !part.startsWith('-') && !/^(?:agent|project):/.test(part))
    .map((part) => part.replace(/^"|"$/g, '').replace(/\*$/, '').toLowerCase())
    .filter((word) => word.length > 1);
}

/** Marks the words in the row that was found, without changing what React has drawn. */
export function useMarkedWords(query: string | undefined, row: string | undefined): void {
  useEffect(() => {
    if (query === undefined || row === undefined || !('highlights' in CSS)) return;
    const words = searchedWords(query);
    const mark = () => {
      const place = document.querySelector(row);
      if (place) CSS.highlights.set(HIGHLIGHT, new Highlight(...rangesOf(place, words)));
    };
    // Rows come and go while they are scrolled; what is drawn anew is marked anew.
    const observer = new MutationObserver(mark);
    const list = document.querySelector('.conversation-rows');
    if (list) observer.observe(list, { childList: true, subtree: true });
    mark();
    return () => {
      observer.disconnect();
      CSS.highlights.delete(HIGHLIGHT);
    };
  }, [query, row]);
}

function rangesOf(place: Element, words: readonly string[]): Range[] {
  const ranges: Range[] = [];
  const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && ranges.length < MOST; node = texts.nextNode()) {
    const text = (node.nodeValue ?? '').toLowerCase();
    for (const word of words) addRanges(ranges, { node, text, word });
  }
  return ranges;
}

function addRanges(
  ranges: Range[],
  { node, text, word }: { node: Node; text: string; word: string },
): void {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + word.length)) {
    // Letters that change their length in lower case, such as a dotted capital I, move places.
    if (ranges.length >= MOST || at + word.length > (node.nodeValue ?? '').length) return;
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    ranges.push(range);
  }
}
