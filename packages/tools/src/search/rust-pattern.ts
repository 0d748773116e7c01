/**
 * Translates a JavaScript regular expression to ripgrep's dialect; null when ripgrep lacks a feature or interprets it
 * differently, so that the JavaScript engine must search.
 */
export function toRustPattern(pattern: string): string | null {
  if (/\(\?<?[=!]/.test(pattern)) return null;
  let translated = '';
  let isInClass = false;
  for (let at = 0; at < pattern.length; ) {
    const token: Token | null = isInClass ? classToken(pattern, at) : plainToken(pattern, at);
    if (token === null) return null;
    translated += token.text;
    at += token.length;
    isInClass = token.opensClass ?? (token.closesClass ? false : isInClass);
  }
  return translated;
}

interface Token {
  readonly text: string;
  readonly length: number;
  readonly opensClass?: true;
  readonly closesClass?: true;
}

/** ASCII only, as in JavaScript. */
const ESCAPES_OUTSIDE: Readonly<Record<string, string>> = {
  d: '[0-9]',
  D: '[^0-9]',
  w: '[0-9A-Za-z_]',
  W: '[^0-9A-Za-z_]',
  b: '(?-u:\\b)',
  B: '(?-u:\\B)',
  s: '\\s',
  S: '\\S',
  t: '\\t',
  f: '\\f',
  v: '\\v',
};
const ESCAPES_IN_CLASS: Readonly<Record<string, string>> = {
  d: '0-9',
  w: '0-9A-Za-z_',
  s: '\\s',
  t: '\\t',
  f: '\\f',
  v: '\\v',
};

function plainToken(pattern: string, at: number): Token | null {
  const rest = pattern.slice(at);
  const character = rest.charAt(0);
  if (character === '\\') return escapeToken(rest, ESCAPES_OUTSIDE);
  if (character === '[') return classOpening(rest);
  const quantifier = /^\{\d+(,\d*)?\}/.exec(rest);
  if (quantifier) return { text: quantifier[0], length: quantifier[0].length };
  // JavaScript takes an unmatched brace or bracket literally.
  return { text: '{}]'.includes(character) ? `\\${character}` : character, length: 1 };
}

function classOpening(rest: string): Token | null {
  const opening = rest.startsWith('[^') ? '[^' : '[';
  const isEmpty = rest.charAt(opening.length) === ']';
  return isEmpty ? null : { text: opening, length: opening.length, opensClass: true };
}

function classToken(pattern: string, at: number): Token | null {
  const rest = pattern.slice(at);
  const character = rest.charAt(0);
  if (character === ']') return { text: ']', length: 1, closesClass: true };
  if (character === '\\') return escapeToken(rest, ESCAPES_IN_CLASS);
  if (rest.startsWith('--')) return null;
  // In Rust these start nested classes and set operations.
  return { text: '[&~'.includes(character) ? `\\${character}` : character, length: 1 };
}

function escapeToken(rest: string, known: Readonly<Record<string, string>>): Token | null {
  const code = /^\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/.exec(rest);
  if (code) return { text: code[0], length: code[0].length };
  const character = rest.charAt(1);
  const text = Object.hasOwn(known, character) ? known[character] : undefined;
  if (text !== undefined) return { text, length: 2 };
  if (/[0-9A-Za-z]/.test(character) || character === '') return null;
  return { text: /[<>_]|[^\x20-\x7e]/.test(character) ? character : `\\${character}`, length: 2 };
}
