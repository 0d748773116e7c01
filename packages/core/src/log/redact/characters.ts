/** What the scanner needs of a string; tests count the reads through an object of this shape. */
export type SourceText = Pick<string, 'length' | 'charCodeAt' | 'slice' | 'startsWith'>;

/** A set of characters: one byte for each ASCII code. */
export type CharacterSet = Uint8Array;

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const ALPHANUMERIC = `${ALPHABET}${ALPHABET.toUpperCase()}${DIGITS}`;

function setOf(characters: string): CharacterSet {
  const set = new Uint8Array(128);
  for (let at = 0; at < characters.length; at++) set[characters.charCodeAt(at)] = 1;
  return set;
}

export const ALNUM = setOf(ALPHANUMERIC);
export const LOWER_HEX = setOf(`${DIGITS}abcdef`);
export const LETTERS = setOf(`${ALPHABET}${ALPHABET.toUpperCase()}`);
/** Letters, digits, `_` and `-`: base64 for URLs, and most keys of vendors. */
export const KEY = setOf(`${ALPHANUMERIC}_-`);
/** As `KEY`, in parts divided by dots. */
export const DOTTED_KEY = setOf(`${ALPHANUMERIC}_.-`);
/** Characters of credentials in HTTP headers and URL queries. */
export const CREDENTIAL = setOf(`${ALPHANUMERIC}_-.+/=~%:`);
export const BASE64 = setOf(`${ALPHANUMERIC}+/=`);
export const NAME = setOf(`${ALPHANUMERIC}_.$-`);

export const isIn = (set: CharacterSet, code: number): boolean => code < 128 && set[code] === 1;

/** The end of the run of `set` that starts at `from`, reading no further than `limit`. */
export function runEnd(
  text: SourceText,
  from: number,
  { set, limit }: { readonly set: CharacterSet; readonly limit: number },
): number {
  const last = Math.min(text.length, limit);
  let at = from;
  while (at < last && isIn(set, text.charCodeAt(at))) at++;
  return at;
}

const BACKSLASH = 92;
const UNDERSCORE = 95;
export const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;
export const isBlank = (code: number): boolean => code === 32 || code === 9;
const isWord = (code: number): boolean => isIn(ALNUM, code) || code === UNDERSCORE;
/** The letter of `\n`, `\t`, `\r`, `\b` and `\f`. */
export const isEscapeLetter = (code: number): boolean =>
  code === 110 || code === 116 || code === 114 || code === 98 || code === 102;

/**
 * Whether a word can begin at `at`: no letter, digit or `_` stands before it, except as the end of an
 * escape (`\n` or `\u0041` in JSON, `%3D` in a URL, a colour in a terminal).
 */
export function isLeftEdge(text: SourceText, at: number): boolean {
  if (at === 0) return true;
  const before = text.charCodeAt(at - 1);
  if (!isWord(before)) return true;
  if (isEscapeLetter(before) && text.charCodeAt(at - 2) === BACKSLASH) return true;
  if (at >= 3 && text.charCodeAt(at - 3) === 37) return isHex(text.slice(at - 2, at));
  if (at >= 6 && text.charCodeAt(at - 5) === 117 && text.charCodeAt(at - 6) === BACKSLASH) {
    return isHex(text.slice(at - 4, at));
  }
  return before === 109 && endsColour(text, at - 2);
}

/** Whether a word can begin at `at`, or the part of one that follows a `_`. */
export function isPartEdge(text: SourceText, at: number): boolean {
  return isLeftEdge(text, at) || text.charCodeAt(at - 1) === UNDERSCORE;
}

function isHex(text: string): boolean {
  return /^[0-9A-Fa-f]+$/.test(text);
}

/** Whether `ESC [ 3 1`, or the same in JSON or as `cat -v` shows it, ends at `last`, before its `m`. */
function endsColour(text: SourceText, last: number): boolean {
  let at = last;
  while (at > last - 16 && /[0-9;]/.test(text.slice(at, at + 1))) at--;
  if (text.charCodeAt(at) !== 91) return false;
  const before = text.slice(Math.max(0, at - 6), at);
  return before.endsWith(ESCAPE) || /(?:\\(?:u001b|x1b|e|033)|\^\[)$/i.test(before);
}

const ESCAPE = '\u001b';
