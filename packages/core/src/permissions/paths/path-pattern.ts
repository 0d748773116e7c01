import path from 'node:path';
import picomatch from 'picomatch';
import { isQuestion, wildcardsMeet } from '../wildcard.ts';
import { holdsCaught } from './matching-names.ts';
import { expandHome, type ResolvedPath, realPath } from './resolve-path.ts';
import { withSlash } from './roots.ts';

/** A path pattern of a rule, ready to be asked; made for one project directory. */
export interface PathPattern {
  /** For `allow`: both names of the place are covered, exactly as written. */
  covers(place: ResolvedPath): boolean;
  /** For `deny` and `ask`: either name, anything beneath it, and a bare file name at any depth. */
  catches(place: ResolvedPath): boolean;
  /** Whether a path that still holds wildcards could come out as something this catches. */
  mayCatch(absoluteGlob: string): boolean;
  /** Whether reading all of a directory would read something this catches. */
  lurksUnder(directory: string): boolean;
}

/** `//x` is absolute, `~/x` in the home, `/x` in the project or absolute, anything else in the project. */
export function compilePathPattern(pattern: string, cwd: string): PathPattern {
  const exact = anchors(pattern, cwd).flatMap((each) => compileAnchored(each));
  const anyDepth = !pattern.includes('/')
    ? compileAnchored(path.join(escapeBase(cwd), '**', pattern))
    : [];
  const strict = [...exact, ...anyDepth];
  const catches = (absolute: string) => strict.some((part) => part.matches(absolute, 'beneath'));
  return {
    covers: ({ literal, real }) =>
      exact.some((part) => part.matches(literal, 'exact')) &&
      exact.some((part) => part.matches(real, 'exact')),
    catches: ({ literal, real }) => catches(literal) || (real !== literal && catches(real)),
    mayCatch: (glob) => strict.some((part) => part.meets(glob)),
    lurksUnder: (directory) =>
      exact.some((part) => part.base.startsWith(withSlash(directory))) ||
      (strict.some((part) => part.mayLieUnder(directory)) && holdsCaught(directory, catches)),
  };
}

interface AnchoredPattern {
  readonly base: string;
  matches(absolute: string, reach: 'exact' | 'beneath'): boolean;
  meets(absoluteGlob: string): boolean;
  /** Whether its wildcards reach into this directory. */
  mayLieUnder(directory: string): boolean;
}

const MAGIC = /[*?[\]{}!()@+]/;
/** macOS file systems fold case: there a rule must not be passed by capitals. */
const NO_CASE = process.platform === 'darwin';

function anchors(pattern: string, cwd: string): readonly string[] {
  if (pattern.startsWith('//')) return [pattern.slice(1)];
  if (pattern.startsWith('~')) return [expandHome(pattern)];
  if (pattern.startsWith('/')) return [path.join(escapeBase(cwd), pattern), pattern];
  return [`${escapeBase(cwd)}/${pattern.replace(/^(?:\.\/)+/, '')}`];
}

/** Marks the project directory's own special characters as plain; undone by `splitBase`. */
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

/** The directories before the first wildcard, `..` folded, and the wildcards after them. */
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
  const test = glob === '' ? undefined : picomatch(glob, { dot: true, nocase: NO_CASE });
  const beneath = glob === '' ? undefined : picomatch(`${glob}/**`, { dot: true, nocase: NO_CASE });
  const prefix = fold(withSlash(base));
  const whole = fold(base);
  return {
    base,
    matches(given, reach) {
      const absolute = fold(given);
      if (test === undefined) {
        return absolute === whole || (reach === 'beneath' && absolute.startsWith(prefix));
      }
      if (absolute === whole) return glob === '**';
      if (!absolute.startsWith(prefix)) return false;
      const rest = given.slice(prefix.length);
      return test(rest) || (reach === 'beneath' && beneath?.(rest) === true);
    },
    mayLieUnder: (directory) =>
      test !== undefined &&
      (fold(withSlash(directory)).startsWith(prefix) ||
        prefix.startsWith(fold(withSlash(directory)))),
    meets: (given) =>
      segmentsMeet(given.split('/'), [...base.split('/'), ...glob.split('/').filter(Boolean)]),
  };
}

function fold(text: string): string {
  return NO_CASE ? text.toLowerCase() : text;
}

/** A path with more steps than this counts as possibly anything. */
const DEEPEST = 100;

/** `word` comes from the shell, where a leading wildcard skips dot files; beneath the rule all is caught. */
function segmentsMeet(word: readonly string[], rule: readonly string[]): boolean {
  if (rule.length === 0 || word.length > DEEPEST) return true;
  if (rule[0] === '**') {
    return (
      segmentsMeet(word, rule.slice(1)) || (word.length > 0 && segmentsMeet(word.slice(1), rule))
    );
  }
  if (word.length === 0) return false;
  const [mine = '', theirs = ''] = [word[0], rule[0]];
  if (mine === '**' && segmentsMeet(word.slice(1), rule)) return true;
  return (
    segmentMeets(mine, theirs) && segmentsMeet(mine === '**' ? word : word.slice(1), rule.slice(1))
  );
}

function segmentMeets(mine: string, theirs: string): boolean {
  if (/^[*?]/.test(mine) && theirs.startsWith('.') && mine !== '**') return false;
  return wildcardsMeet(plain(mine), plain(theirs), isQuestion);
}

/** Character sets, alternatives and groups count as “anything”. */
function plain(segment: string): string {
  return segment.replaceAll(/\[[^\]]*\]|\{[^}]*\}|[!@+?*]\([^)]*\)/g, '*');
}
