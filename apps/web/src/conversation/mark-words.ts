import { useEffect } from 'react';

/** The `::highlight()` name used in the style sheet. */
const HIGHLIGHT = 'found-words';
/** Maximum marks in one block. */
const MOST = 500;

/** Words, phrases and prefixes of a search, as they appear in a text. */
export function searchedWords(query: string): readonly string[] {
  const parts = query.match(/-?"[^"]+"|\S+/g) ?? [];
  return parts
    .filter((part) => !part.startsWith('-') && !/^(?:agent|project):/.test(part))
    .map((part) => part.replace(/^"|"$/g, '').replace(/\*$/, '').toLowerCase())
    .filter((word) => word.length > 1);
}

/** Marks the words in the matching row without changing React's DOM. */
export function useMarkedWords(query: string | undefined, row: string | undefined): void {
  useEffect(() => {
    if (query === undefined || row === undefined || !('highlights' in CSS)) return;
    const words = searchedWords(query);
    const mark = () => {
      const place = document.querySelector(row);
      if (place) CSS.highlights.set(HIGHLIGHT, new Highlight(...rangesOf(place, words)));
    };
    // Scrolling mounts and unmounts rows, so marks are set again after each change.
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
    // Characters whose lower case has another length, such as İ, shift positions.
    if (ranges.length >= MOST || at + word.length > (node.nodeValue ?? '').length) return;
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    ranges.push(range);
  }
}
