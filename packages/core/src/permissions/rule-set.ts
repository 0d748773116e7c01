import { memoize } from './memoize.ts';
import { compilePathPattern, type PathPattern } from './paths/path-pattern.ts';
import { type PermissionRule, parseRule, ruleNames } from './rule.ts';
import { CommandRules } from './shell/command-rules.ts';

/** One list of rules, compiled for one project directory. */
export interface RuleSet {
  readonly rules: readonly PermissionRule[];
  readonly commands: CommandRules;
  /** The first rule without a specifier that applies to this tool. */
  everyCall(tool: string): PermissionRule | undefined;
  /** Rules with a specifier that apply to this tool. */
  specific(tool: string): readonly PermissionRule[];
  /** Compiled path rules that apply to this tool. */
  paths(tool: string): readonly PathRule[];
}

export interface PathRule {
  readonly rule: PermissionRule;
  readonly pattern: PathPattern;
}

/** Compiled lists are cached: the same few lists apply to every call of a session. */
export function ruleSetOf(texts: readonly string[] | undefined, cwd: string): RuleSet {
  if (texts === undefined || texts.length === 0) return NO_RULES;
  const known = prepared.get(texts);
  if (known !== undefined && known.cwd === cwd && sameTexts(known.texts, texts)) return known.set;
  const set = prepare([cwd, ...texts].join('\0'));
  prepared.set(texts, { cwd, texts: [...texts], set });
  return set;
}

/** Keyed by the array itself; an array changed in place is compiled again. */
const prepared = new WeakMap<readonly string[], PreparedList>();

interface PreparedList {
  readonly cwd: string;
  readonly texts: readonly string[];
  readonly set: RuleSet;
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

const prepare = memoize(64, (key: string): RuleSet => {
  const [cwd = '/', ...texts] = key.split('\0');
  return makeRuleSet(texts.map(parseRule), cwd);
});

function makeRuleSet(rules: readonly PermissionRule[], cwd: string): RuleSet {
  const governing = memoize(128, (tool: string) => rules.filter((rule) => ruleNames(rule, tool)));
  const specific = memoize(128, (tool: string) =>
    governing(tool).filter((rule) => rule.spec !== undefined),
  );
  return {
    rules,
    commands: new CommandRules(specific('Bash')),
    everyCall: (tool) => governing(tool).find((rule) => rule.spec === undefined),
    specific,
    paths: memoize(128, (tool: string) =>
      specific(tool).map((rule) => ({ rule, pattern: compilePathPattern(rule.spec ?? '', cwd) })),
    ),
  };
}

const NO_RULES: RuleSet = makeRuleSet([], '/');
