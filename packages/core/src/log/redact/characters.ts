/** What the scanner needs of a string; tests count the reads through an object of this shape. */
export type SourceText = Pick<string, 'length' | 'charCodeAt' | 'slice' | 'startsWith'>;

/** A set of characters: one byte for each ASCII code. */
export type CharacterSet = Uint8Array;

function setOf(shape: RegExp): CharacterSet {
  return Uint8Array.from({ length: 128 }, (_, code) =>
    shape.test(String.fromCharCode(code)) ? 1 : 0,
  );
}

export const ALNUM = setOf(/[A-Za-z0-9]/);
export const LOWER_HEX = setOf(/[0-9a-f]/);
export const LETTERS = setOf(/[A-Za-z]/);
/** Letters, digits, `_` and `-`: base64 for URLs, and most keys of vendors. */
export const KEY = setOf(/[A-Za-z0-9_-]/);
/** As `KEY`, in parts divided by dots. */
export const DOTTED_KEY = setOf(/[A-Za-z0-9_.-]/);
/** What stands in a credential of an HTTP header or of a URL's query. */
export const CREDENTIAL = setOf(/[A-Za-z0-9_\-.+/=~%:]/);
export const BASE64 = setOf(/[A-Za-z0-9+/=]/);
export const NAME = setOf(/[A-Za-z0-9_.$-]/);

export const isIn = (set: CharacterSet, code: number): boolean => code < 128 && set[code] === 1;

/** Where the run of `set` that begins at `from` ends, looking no further than `limit`. */
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
export const isQuote = (code: number): boolean => code === 34 || code === 39 || code === 96;
export const isBlank = (code: number): boolean => code === 32 || code === 9;
const isWord = (code: number): boolean => isIn(ALNUM, code) || code === 95;
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

function isHex(text: string): boolean {
  return /^[0-9A-Fa-f]+$/.test(text);
}

/** Whether `ESC [ 3 1` or the same in JSON ends at `last`, before its `m`. */
function endsColour(text: SourceText, last: number): boolean {
  let at = last;
  while (at > last - 16 && /[0-9;]/.test(text.slice(at, at + 1))) at--;
  if (text.charCodeAt(at) !== 91) return false;
  const before = text.slice(Math.max(0, at - 6), at);
  return before.endsWith(ESCAPE) || /\\(?:u001b|x1b|e|033)$/i.test(before);
}

const ESCAPE = '\u001b';
