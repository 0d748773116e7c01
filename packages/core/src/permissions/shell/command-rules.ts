import type { PermissionRule } from '../rule.ts';
import { matchesWildcard, wildcardsIntersect } from '../wildcard.ts';
import { sortFlags } from './sort-flags.ts';

/**
 * Command rules, indexed by their first word. `x *` and `x:*` match `x` alone and with arguments; any other `*` matches
 * any text.
 */
export class CommandRules {
  readonly #byFirstWord = new Map<string, CommandRule[]>();
  readonly #others: CommandRule[] = [];

  constructor(rules: readonly PermissionRule[]) {
    for (const rule of rules) {
      const spec = specOf(rule);
      const sorted = sortFlags(spec.split(' '));
      this.#add(compile(rule, spec));
      if (sorted !== spec) this.#add(compile(rule, sorted));
    }
  }

  get isEmpty(): boolean {
    return this.#byFirstWord.size === 0 && this.#others.length === 0;
  }

  find(
    view: string,
    accepts: (pattern: string) => boolean = anyPattern,
  ): PermissionRule | undefined {
    const space = view.indexOf(' ');
    const sameFirstWord = this.#byFirstWord.get(space === -1 ? view : view.slice(0, space));
    return firstMatch(sameFirstWord, view, accepts) ?? firstMatch(this.#others, view, accepts);
  }

  /** For allow rules: a wildcard after a slash must not match `..` out of the folder before it. */
  findAllowing(view: string): PermissionRule | undefined {
    const steps = view.includes('..') && /(?:^|[\s/'"=])\.\.(?:[/\s'"]|$)/.test(view);
    return this.find(view, steps ? staysInFolder : anyPattern);
  }

  /** A rule that may match a text with unknown parts (`*`). */
  findPossible(text: string): PermissionRule | undefined {
    const fuzzy = text.length > MAX_FUZZY_LENGTH ? `${text.slice(0, MAX_FUZZY_LENGTH)}*` : text;
    const all = [...[...this.#byFirstWord.values()].flat(), ...this.#others];
    return all.find(
      ({ pattern, bare }) =>
        wildcardsIntersect(pattern, fuzzy) ||
        (bare !== undefined && wildcardsIntersect(bare, fuzzy)),
    )?.rule;
  }

  #add(compiled: CommandRule): void {
    const first = compiled.pattern.split(' ', 1)[0] ?? '';
    if (/[*'"\\]/.test(first)) {
      this.#others.push(compiled);
      return;
    }
    const sameFirstWord = this.#byFirstWord.get(first) ?? [];
    sameFirstWord.push(compiled);
    this.#byFirstWord.set(first, sameFirstWord);
  }
}

/** A plain loop, because it runs for every part of every command. */
function firstMatch(
  rules: readonly CommandRule[] | undefined,
  view: string,
  accepts: (pattern: string) => boolean,
): PermissionRule | undefined {
  if (rules === undefined) return undefined;
  for (const each of rules) if (fits(each, view) && accepts(each.pattern)) return each.rule;
  return undefined;
}

function staysInFolder(pattern: string): boolean {
  return !/\/[^\s]*\*/.test(pattern);
}

function anyPattern(): boolean {
  return true;
}

/** Text beyond this counts as unknown, which can only match more rules. */
const MAX_FUZZY_LENGTH = 1000;

interface CommandRule {
  readonly rule: PermissionRule;
  readonly pattern: string;
  /** The text before a trailing ` *`, which matches by itself too. */
  readonly bare?: string;
  /** The text before a trailing ` *`, with the space, when it contains no other wildcard. */
  readonly prefix?: string;
}

function specOf(rule: PermissionRule): string {
  return (rule.spec ?? '').replaceAll(/\s+/g, ' ').replace(/ ?:\*$/, ' *');
}

function compile(rule: PermissionRule, spec: string): CommandRule {
  if (!spec.endsWith(' *')) return { rule, pattern: spec };
  const bare = spec.slice(0, -2);
  return { rule, pattern: spec, bare, ...(bare.includes('*') ? {} : { prefix: `${bare} ` }) };
}

function fits(compiled: CommandRule, view: string): boolean {
  if (compiled.prefix !== undefined)
    return view === compiled.bare || view.startsWith(compiled.prefix);
  if (matchesWildcard(compiled.pattern, view)) return true;
  return compiled.bare !== undefined && matchesWildcard(compiled.bare, view);
}
