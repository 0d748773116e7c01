/** What the `.gitignore` files on the way to a path say about it; the last rule that fits counts. */
export class IgnoreRules {
  readonly #rules: readonly IgnoreRule[];

  private constructor(rules: readonly IgnoreRule[]) {
    this.#rules = rules;
  }

  static readonly NONE = new IgnoreRules([]);

  /** These rules and those of a file in `folder`, a path below the root with `/`, or empty for the root itself. */
  with(folder: string, text: string): IgnoreRules {
    const rules = text.split('\n').flatMap((line) => toRule(folder, line));
    return rules.length === 0 ? this : new IgnoreRules([...this.#rules, ...rules]);
  }

  /** `path` is below the root, with `/`. A file in an ignored folder is never asked about: nobody goes in there. */
  isIgnored(path: string, isFolder: boolean): boolean {
    const rule = this.#rules.findLast(
      ({ pattern, isForFolders }) => (isFolder || !isForFolders) && pattern.test(path),
    );
    return rule !== undefined && !rule.isException;
  }
}

interface IgnoreRule {
  readonly pattern: RegExp;
  /** Written with `!`: what an earlier rule ignores is not. */
  readonly isException: boolean;
  /** Written with a `/` at its end. */
  readonly isForFolders: boolean;
}

function toRule(folder: string, line: string): IgnoreRule[] {
  const written = line.replace(/\r$/, '').replace(/(?<!\\)\s+$/, '');
  if (written === '' || written.startsWith('#')) return [];
  const isException = written.startsWith('!');
  const body = (isException ? written.slice(1) : written).replace(/^\\(?=[#!])/, '');
  const isForFolders = body.endsWith('/');
  const bare = body.replace(/\/+$/, '');
  // A slash at the start or in the middle ties the rule to its folder; without one it fits at any depth.
  const isTied = bare.includes('/');
  const prefix = folder === '' ? '' : `${literally(folder)}/`;
  const anywhere = isTied ? '' : '(?:.*/)?';
  try {
    const pattern = new RegExp(`^${prefix}${anywhere}${toPattern(bare.replace(/^\//, ''))}$`);
    return [{ pattern, isException, isForFolders }];
  } catch {
    // Nothing fits a rule that means nothing, such as one with an open bracket.
    return [];
  }
}

function toPattern(glob: string): string {
  return glob.replace(TOKENS, (token) => {
    if (token === '**/') return '(?:.*/)?';
    if (token === '/**') return '/.*';
    if (token === '**') return '.*';
    if (token === '*') return '[^/]*';
    if (token === '?') return '[^/]';
    if (token.startsWith('[')) return token.replace(/^\[!/, '[^');
    return token.startsWith('\\') ? literally(token.slice(1)) : literally(token);
  });
}

const TOKENS = /\*\*\/|\/\*\*$|\*\*|\*|\?|\[[^\]]+\]|\\.|[\s\S]/g;

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
