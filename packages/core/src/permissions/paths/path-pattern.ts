import path from 'node:path';
import { compileGlob } from '../../glob.ts';
import { isQuestionMark, wildcardsIntersect } from '../wildcard.ts';
import { containsMatch } from './matching-names.ts';
import { expandHome, type ResolvedPath, realPath } from './resolve-path.ts';
import { withSlash } from './roots.ts';

/** A path pattern of a rule, compiled for one project directory. */
export interface PathPattern {
  /** For `allow`: both the literal and the real path match exactly. */
  covers(place: ResolvedPath): boolean;
  /** For `deny` and `ask`: either path matches, or lies below a match; a bare file name matches at any depth. */
  matches(place: ResolvedPath): boolean;
  /** Whether a path with wildcards could expand to a matching one. */
  mayMatch(absoluteGlob: string): boolean;
  /** Whether reading a directory recursively would read a matching file. */
  matchesBelow(directory: string): boolean;
}

/** `//x` is absolute, `~/x` is in the home, `/x` is in the project or absolute, anything else is in the project. */
export function compilePathPattern(pattern: string, cwd: string): PathPattern {
  const exact = anchors(pattern, cwd).flatMap((each) => compileAnchored(each));
  const anyDepth = !pattern.includes('/')
    ? compileAnchored(path.join(escapeBase(cwd), '**', pattern))
    : [];
  const strict = [...exact, ...anyDepth];
  const matches = (absolute: string) => strict.some((part) => part.matches(absolute, 'beneath'));
  return {
    covers: ({ literal, real }) =>
      exact.some((part) => part.matches(literal, 'exact')) &&
      exact.some((part) => part.matches(real, 'exact')),
    matches: ({ literal, real }) => matches(literal) || (real !== literal && matches(real)),
    mayMatch: (glob) => strict.some((part) => part.intersects(glob)),
    matchesBelow: (directory) =>
      exact.some((part) => part.base.startsWith(withSlash(directory))) ||
      (strict.some((part) => part.mayLieUnder(directory)) && containsMatch(directory, matches)),
  };
}

interface AnchoredPattern {
  readonly base: string;
  matches(absolute: string, reach: 'exact' | 'beneath'): boolean;
  intersects(absoluteGlob: string): boolean;
  /** Whether its wildcards reach into this directory. */
  mayLieUnder(directory: string): boolean;
}

const MAGIC = /[*?[\]{}!()@+]/;
/** macOS file systems ignore case, so a rule must too. */
const NO_CASE = process.platform === 'darwin';

function anchors(pattern: string, cwd: string): readonly string[] {
  if (pattern.startsWith('//')) return [pattern.slice(1)];
  if (pattern.startsWith('~')) return [expandHome(pattern)];
  if (pattern.startsWith('/')) return [path.join(escapeBase(cwd), pattern), pattern];
  return [`${escapeBase(cwd)}/${pattern.replace(/^(?:\.\/)+/, '')}`];
}

/** Escapes glob characters of the project directory itself; undone by `splitBase`. */
function escapeBase(cwd: string): string {
  return cwd.replaceAll(/[*?[\]{}!()@+]/g, (character) =>
    String.fromCodePoint(ESCAPE + character.charCodeAt(0)),
  );
}

/** The start of a private Unicode area that no path uses. */
const ESCAPE = 0xf_0000;
const ESCAPED = /[\u{f0000}-\u{f00ff}]/gu;

function unescapeBase(text: string): string {
  return text.replaceAll(ESCAPED, (character) =>
    String.fromCodePoint((character.codePointAt(0) ?? ESCAPE) - ESCAPE),
  );
}

function compileAnchored(absolute: string): readonly AnchoredPattern[] {
  const { base, glob } = splitBase(absolute);
  const bases = [...new Set([base, realPath(base)])];
  return bases.map((each) => anchoredAt(each, glob));
}

/** The directories before the first wildcard, `..` resolved, and the glob after them. */
function splitBase(absolute: string): { readonly base: string; readonly glob: string } {
  const segments = absolute.split('/');
  const first = segments.findIndex((segment) => MAGIC.test(segment));
  const cut = first === -1 ? segments.length : first;
  const base = path.resolve('/', unescapeBase(segments.slice(0, cut).join('/')));
  const glob = segments.slice(cut).join('/');
  return {
    base,
    glob: glob.endsWith('/') ? `${glob}**` : glob || (absolute.endsWith('/') ? '**' : ''),
  };
}

function anchoredAt(base: string, glob: string): AnchoredPattern {
  const rule = glob === '' ? undefined : compileGlob(glob, { ignoreCase: NO_CASE });
  const below = glob === '' ? undefined : compileGlob(`${glob}/**`, { ignoreCase: NO_CASE });
  const prefix = fold(withSlash(base));
  const whole = fold(base);
  return {
    base,
    matches(given, reach) {
      const absolute = fold(given);
      if (rule === undefined) {
        return absolute === whole || (reach === 'beneath' && absolute.startsWith(prefix));
      }
      if (absolute === whole) return glob === '**';
      if (!absolute.startsWith(prefix)) return false;
      const rest = given.slice(prefix.length);
      if (reach === 'exact') return rule.matches(rest);
      return rule.mayMatch(rest) || below?.mayMatch(rest) === true;
    },
    mayLieUnder: (directory) =>
      rule !== undefined &&
      (fold(withSlash(directory)).startsWith(prefix) ||
        prefix.startsWith(fold(withSlash(directory)))),
    intersects: (given) =>
      segmentsIntersect(given.split('/'), [...base.split('/'), ...glob.split('/').filter(Boolean)]),
  };
}

function fold(text: string): string {
  return NO_CASE ? text.toLowerCase() : text;
}

/** A longer path counts as intersecting every rule. */
const MAX_DEPTH = 100;

/** `word` is a shell glob, where a leading wildcard skips dot files; everything below the rule matches. */
function segmentsIntersect(word: readonly string[], rule: readonly string[]): boolean {
  if (word.length > MAX_DEPTH) return true;
  const known = new Map<number, boolean>();
  const from = (at: number, other: number): boolean => {
    const key = at * (rule.length + 1) + other;
    const result = known.get(key) ?? tryFrom(at, other);
    known.set(key, result);
    return result;
  };
  const tryFrom = (at: number, other: number): boolean => {
    const [wordSegment, ruleSegment] = [word[at], rule[other]];
    if (ruleSegment === undefined) return true;
    if (ruleSegment === '**')
      return from(at, other + 1) || (wordSegment !== undefined && from(at + 1, other));
    if (wordSegment === undefined) return false;
    if (wordSegment === '**' && from(at + 1, other)) return true;
    return (
      segmentIntersects(wordSegment, ruleSegment) &&
      from(wordSegment === '**' ? at : at + 1, other + 1)
    );
  };
  return from(0, 0);
}

function segmentIntersects(wordSegment: string, ruleSegment: string): boolean {
  if (/^[*?]/.test(wordSegment) && ruleSegment.startsWith('.') && wordSegment !== '**')
    return false;
  return wildcardsIntersect(plain(wordSegment), plain(ruleSegment), isQuestionMark);
}

/** Character sets, alternatives and groups count as “anything”. */
function plain(segment: string): string {
  return segment.replaceAll(/\[[^\]]*\]|\{[^}]*\}|[!@+?*]\([^)]*\)/g, '*');
}
