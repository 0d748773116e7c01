import { type SearchTerm, SPACELESS_SOURCE, spaceCharacters } from '../../reading/search-words.ts';

/** A part of a block that is indexed as one row. */
export interface WordPiece {
  /** Its text, for snippets. */
  readonly shown: string;
  /** A `tsvector` as PostgreSQL reads it. */
  readonly words: string;
}

/** PostgreSQL stores 256 positions of a word, and none after the 16,383rd word: longer texts are split. */
const PIECE_WORDS = 1_000;
/** Words that two pieces share, so that a phrase across their border is found. */
const SHARED_WORDS = 30;
/** The server refuses longer words. */
const MAX_WORD_LENGTH = 500;
const WORD = /[\p{L}\p{N}\p{Co}]+/gu;

/**
 * The words of a text with their positions, split here so that the server's configuration makes no difference:
 * identifiers and paths are phrases of their parts; case and accents are ignored.
 */
export function wordPieces(text: string): readonly WordPiece[] {
  const clean = text.replaceAll('\0', ' ');
  const found = [...spaceCharacters(clean).matchAll(WORD)].map(([word]) => word);
  if (found.length === 0) return [];
  if (found.length <= PIECE_WORDS) return [{ shown: clean, words: vectorOf(found) }];
  return piecesOf(clean);
}

function piecesOf(text: string): WordPiece[] {
  const places = [...text.matchAll(WORD_OR_CHARACTER)].map(({ index }) => index);
  const pieces: WordPiece[] = [];
  for (let from = 0; from < places.length; from += PIECE_WORDS - SHARED_WORDS) {
    const shown = text.slice(places[from], places[from + PIECE_WORDS] ?? text.length);
    const words = [...spaceCharacters(shown).matchAll(WORD)].map(([word]) => word);
    pieces.push({ shown, words: vectorOf(words) });
    if (from + PIECE_WORDS >= places.length) break;
  }
  return pieces;
}

/** Matches a word; in scripts without spaces, each character. */
const WORD_OR_CHARACTER = new RegExp(`${SPACELESS_SOURCE}|[\\p{L}\\p{N}\\p{Co}]+`, 'gu');

function vectorOf(words: readonly string[]): string {
  const places = new Map<string, number[]>();
  for (const [index, word] of words.entries()) {
    const folded = foldWord(word);
    const known = places.get(folded);
    if (known) known.push(index + 1);
    else places.set(folded, [index + 1]);
  }
  return [...places].map(([word, all]) => `'${word}':${all.slice(0, 255).join(',')}`).join(' ');
}

/** A search term as a `tsquery`; undefined if it contains no word. */
export function termQuery({ text, isPrefix }: SearchTerm): string | undefined {
  const words = [...spaceCharacters(text).matchAll(WORD)].map(([word]) => `'${foldWord(word)}'`);
  if (words.length === 0) return undefined;
  return words.join(' <-> ') + (isPrefix ? ':*' : '');
}

/** Letters and digits only, so that nothing in it has to be quoted. */
function foldWord(word: string): string {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return (plain === '' ? word : plain).slice(0, MAX_WORD_LENGTH);
}
