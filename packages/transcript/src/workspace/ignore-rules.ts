import { compileGlob } from '@robota-sdk/agent-core';

/** The rules of the `.gitignore` files above a path; the last matching rule wins. */
export class IgnoreRules {
  readonly #rules: readonly IgnoreRule[];

  private constructor(rules: readonly IgnoreRule[]) {
    this.#rules = rules;
  }

  static readonly NONE = new IgnoreRules([]);

  /** Adds the rules of a file in `folder`, a path relative to the root with `/`; empty for the root. */
  with(folder: string, text: string): IgnoreRules {
    const rules = text.split('\n').flatMap((line) => toRule(folder, line));
    return rules.length === 0 ? this : new IgnoreRules([...this.#rules, ...rules]);
  }

  /** `path` is relative to the root, with `/`. Not called for files in ignored folders, which are not entered. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const name = path.slice(path.lastIndexOf('/') + 1);
    const rule = this.#rules.findLast(
      ({ isForFolders, isAnchored, matches }) =>
        (isFolder || !isForFolders) && matches(isAnchored ? path : name),
    );
    return rule !== undefined && !rule.isException;
  }
}

interface IgnoreRule {
  /** `!` re-includes what an earlier rule ignores. */
  readonly isException: boolean;
  /** A trailing `/` matches folders only. */
  readonly isForFolders: boolean;
  /** A slash at the start or in the middle anchors the rule to its folder; otherwise it matches names at any depth. */
  readonly isAnchored: boolean;
  readonly matches: (pathOrName: string) => boolean;
}

function toRule(folder: string, line: string): IgnoreRule[] {
  const written = withoutTrailingSpace(line);
  if (written === '' || written.startsWith('#')) return [];
  const isException = written.startsWith('!');
  const body = (isException ? written.slice(1) : written).replace(/^\\(?=[#!])/, '');
  const isForFolders = body.endsWith('/');
  const bare = body.replace(/\/+$/, '');
  if (bare === '' || isUnclosed(bare)) return [];
  const isAnchored = bare.includes('/');
  const below = folder === '' ? '' : `${escaped(folder, /[\\*?[\]{}()]/g)}/`;
  // Braces and groups mean themselves here.
  const glob = escaped(bare.replace(/^\//, ''), /[{}()]/g);
  const matches = matcherOf(isAnchored ? `${below}${glob}` : glob);
  return [{ isException, isForFolders, isAnchored, matches }];
}

/** Spaces at the end do not count, unless the last one is escaped. */
function withoutTrailingSpace(line: string): string {
  const trimmed = line.trimEnd();
  return trimmed.endsWith('\\') && trimmed.length < line.length ? `${trimmed} ` : trimmed;
}

/** A set that nothing closes matches nothing. */
function isUnclosed(rule: string): boolean {
  const open = rule.lastIndexOf('[');
  return open !== -1 && rule[open - 1] !== '\\' && !rule.includes(']', open);
}

/** Most rules are plain names, which need no pattern. */
function matcherOf(glob: string): (text: string) => boolean {
  if (!/[*?[\\]/.test(glob)) return (text) => text === glob;
  return compileGlob(glob).matches;
}

function escaped(text: string, characters: RegExp): string {
  return text.replace(characters, String.raw`\$&`);
}
