/**
 * A compiled file pattern: `*`, `?`, `[a-z]`, `{a,b}`, `@(a|b)`, `?(a)`, and `**` for any number of folders. Matching takes
 * time proportional to pattern times path; a regular expression would take exponential time for hostile patterns.
 */
export interface Glob {
  /** Whether a path matches for certain: repeated and negated groups, such as `+(a)` and `!(a)`, match nothing. */
  matches(path: string): boolean;
  /** Whether a path may match: such groups match any text. */
  mayMatch(path: string): boolean;
}

/** `path` has no leading slash, and `/` separates its parts. Names that begin with a dot are matched like any other. */
export function compileGlob(
  pattern: string,
  options: { readonly ignoreCase?: boolean | undefined } = {},
): Glob {
  const plain = pattern.replace(/^(?:\.\/)+/, '').replaceAll('\0', '');
  const folded = options.ignoreCase ? plain.toLowerCase() : plain;
  const parts = folded.length > MAX_LENGTH ? undefined : (folded.match(PARTS) ?? []);
  const alternatives = parts && expand(parts)?.map(compileSegments);
  const test = (path: string, isKnown: (segments: readonly Segment[]) => boolean): boolean => {
    const text = options.ignoreCase ? path.toLowerCase() : path;
    // A name may itself contain characters of patterns, as in `app/[id]/page.tsx`.
    if (text === folded) return true;
    const names = text.split('/');
    return alternatives?.some((each) => isKnown(each) && matchesSegments(each, names)) ?? false;
  };
  return {
    matches: (path) => test(path, (segments) => !segments.some(hasUnknown)),
    mayMatch: (path) => alternatives === undefined || test(path, () => true),
  };
}

/** One character of a name, a run of characters, or a group whose text cannot be listed. */
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'any' | 'run' | 'unknown' }
  | { readonly kind: 'set'; readonly isNegated: boolean; readonly ranges: readonly Range[] };

type Range = readonly [from: string, to: string];
type Segment = readonly Token[] | typeof FOLDERS;

/** `**` as a part of its own: any number of folders, also none. */
const FOLDERS = 'folders';
/** Patterns that stand for more, or are longer, match nothing for certain and may match anything. */
const MAX_ALTERNATIVES = 1_000;
const MAX_LENGTH = 4_096;

function compileSegments(parts: readonly string[]): readonly Segment[] {
  const segments = splitAt(parts, '/', '').map((names) =>
    names.join('') === '**' ? FOLDERS : names.flatMap(tokenOf),
  );
  return segments.filter((segment, at) => segment !== FOLDERS || segments[at - 1] !== FOLDERS);
}

function hasUnknown(segment: Segment): boolean {
  return segment !== FOLDERS && segment.some(({ kind }) => kind === 'unknown');
}

// Matching: only the last `**`, and in a name only the last `*`, ever has to take more.

function matchesSegments(pattern: readonly Segment[], names: readonly string[]): boolean {
  let [at, name] = [0, 0];
  let last: { readonly at: number; name: number } | undefined;
  while (name < names.length) {
    const segment = pattern[at];
    if (segment === FOLDERS) {
      // At the end it needs at least one name: `a/**` is what lies in `a`.
      if (at === pattern.length - 1) return true;
      last = { at, name };
      at += 1;
    } else if (segment !== undefined && matchesName(segment, names[name] ?? '')) {
      at += 1;
      name += 1;
    } else if (last !== undefined) {
      last.name += 1;
      [at, name] = [last.at + 1, last.name];
    } else return false;
  }
  return at === pattern.length;
}

const SURROGATE = /[\ud800-\udfff]/;

function matchesName(tokens: readonly Token[], name: string): boolean {
  const characters = SURROGATE.test(name) ? [...name] : name;
  let [at, position] = [0, 0];
  let last: { readonly at: number; position: number } | undefined;
  while (position < characters.length) {
    const token = tokens[at];
    if (token?.kind === 'run' || token?.kind === 'unknown') {
      last = { at, position };
      at += 1;
    } else if (token !== undefined && matchesCharacter(token, characters[position] ?? '')) {
      at += 1;
      position += 1;
    } else if (last !== undefined) {
      last.position += 1;
      [at, position] = [last.at + 1, last.position];
    } else return false;
  }
  return tokens.slice(at).every(({ kind }) => kind === 'run' || kind === 'unknown');
}

function matchesCharacter(token: Token, character: string): boolean {
  if (token.kind === 'text') return token.text === character;
  if (token.kind !== 'set') return true;
  const isIn = token.ranges.some(([from, to]) => from <= character && character <= to);
  return isIn !== token.isNegated;
}

// Reading: a pattern is cut into characters, escaped characters and sets; then groups and braces are listed.

const PARTS = /\\[\s\S]|\[[!^]?\]?[^\]/]*\]|[\s\S]/gu;

/** The patterns without braces and groups that a pattern stands for; undefined if there are too many. */
function expand(parts: readonly string[]): readonly (readonly string[])[] | undefined {
  const group = findGroup(parts);
  if (group === undefined) return [parts];
  const { start, end, choices } = group;
  const tails = expand(parts.slice(end));
  const lists = choices.map(expand);
  const middles = lists.flatMap((list) => list ?? []);
  const isListed = tails !== undefined && !lists.includes(undefined);
  if (!isListed || middles.length * tails.length > MAX_ALTERNATIVES) return undefined;
  const head = parts.slice(0, start);
  return middles.flatMap((middle) => tails.map((tail) => [...head, ...middle, ...tail]));
}

/** Stands for a group whose texts cannot be listed; no path contains it. */
const UNKNOWN = '\0u';
/** Stands for a group that is left out, so that what is left of `*?(a)*` is not taken for `**`. */
const EMPTY = '\0e';

interface Group {
  readonly start: number;
  readonly end: number;
  readonly choices: readonly (readonly string[])[];
}

/** The first complete group: `{a,b}`, or `(a|b)` after one of `@?+*!`. */
function findGroup(parts: readonly string[]): Group | undefined {
  for (const [start, sign] of parts.entries()) {
    const group = sign === '{' ? readBraces(parts, start) : readGroup(parts, start);
    if (group) return group;
  }
  return undefined;
}

function readBraces(parts: readonly string[], start: number): Group | undefined {
  const end = endOfGroup(parts, start, '{}');
  if (end === undefined) return undefined;
  const choices = splitAt(parts.slice(start + 1, end - 1), ',', '{}');
  if (choices.length > 1) return { start, end, choices };
  // A sequence such as `{1..9}`.
  return choices[0]?.join('').includes('..') ? { start, end, choices: [[UNKNOWN]] } : undefined;
}

function readGroup(parts: readonly string[], start: number): Group | undefined {
  const sign = parts[start] ?? '';
  const end = parts[start + 1] === '(' ? endOfGroup(parts, start + 1, '()') : undefined;
  if (end === undefined || !'@?+*!'.includes(sign)) return undefined;
  const listed = splitAt(parts.slice(start + 2, end - 1), '|', '()');
  if (sign === '@') return { start, end, choices: listed };
  return { start, end, choices: sign === '?' ? [[EMPTY], ...listed] : [[UNKNOWN]] };
}

/** The position behind the bracket that closes a group. */
function endOfGroup(
  parts: readonly string[],
  open: number,
  brackets: '{}' | '()',
): number | undefined {
  let depth = 0;
  for (let at = open; at < parts.length; at++) {
    depth += depthOf(parts[at], brackets);
    if (depth === 0) return at + 1;
  }
  return undefined;
}

/** Cuts at separators outside of brackets. */
function splitAt(
  parts: readonly string[],
  separator: string,
  brackets: '{}' | '()' | '',
): readonly (readonly string[])[] {
  const split: string[][] = [[]];
  let depth = 0;
  for (const part of parts) {
    depth += depthOf(part, brackets);
    if (depth === 0 && part === separator) split.push([]);
    else split.at(-1)?.push(part);
  }
  return split;
}

function depthOf(part: string | undefined, brackets: string): number {
  if (part === undefined || brackets === '') return 0;
  return Number(part === brackets[0]) - Number(part === brackets[1]);
}

function tokenOf(part: string): readonly Token[] {
  if (part === '*') return [{ kind: 'run' }];
  if (part === '?') return [{ kind: 'any' }];
  if (part === UNKNOWN) return [{ kind: 'unknown' }];
  if (part === EMPTY) return [];
  if (part.length > 2 && part.startsWith('[')) return [setOf(part.slice(1, -1))];
  const isEscaped = part.length > 1 && part.startsWith('\\');
  return [{ kind: 'text', text: isEscaped ? part.slice(1) : part }];
}

function setOf(text: string): Token {
  const isNegated = /^[!^]/.test(text);
  const characters = (isNegated ? text.slice(1) : text).replaceAll(/\\([\s\S])/gu, '$1');
  const ranges = [...characters.matchAll(/([\s\S])-([\s\S])|[\s\S]/gu)].map(
    ([whole, from = whole, to = whole]): Range => [from, to],
  );
  return { kind: 'set', isNegated, ranges };
}
