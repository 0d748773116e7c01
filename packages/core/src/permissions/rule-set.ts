import { remember } from './bounded-cache.ts';
import { compilePathPattern, type PathPattern } from './paths/path-pattern.ts';
import { type PermissionRule, parseRule, ruleNames } from './rule.ts';
import { CommandRules } from './shell/command-rules.ts';

/** One list of rules, prepared for one project directory. */
export interface RuleSet {
  readonly rules: readonly PermissionRule[];
  readonly commands: CommandRules;
  /** The first rule that speaks about every call of this tool. */
  everyCall(tool: string): PermissionRule | undefined;
  /** Rules with a specifier that govern this tool. */
  specific(tool: string): readonly PermissionRule[];
  /** Path rules that govern this tool, ready to be asked. */
  paths(tool: string): readonly PathRule[];
}

export interface PathRule {
  readonly rule: PermissionRule;
  readonly pattern: PathPattern;
}

/** Prepared lists are kept, because the same few lists judge every call of a session. */
export function ruleSetOf(texts: readonly string[] | undefined, cwd: string): RuleSet {
  if (texts === undefined || texts.length === 0) return NO_RULES;
  const known = prepared.get(texts);
  if (known !== undefined && known.cwd === cwd && sameTexts(known.texts, texts)) return known.set;
  const set = prepare([cwd, ...texts].join('\0'));
  prepared.set(texts, { cwd, texts: [...texts], set });
  return set;
}

/** Found by the list itself first; a list that was changed in place is prepared again. */
const prepared = new WeakMap<readonly string[], PreparedList>();

interface PreparedList {
  readonly cwd: string;
  readonly texts: readonly string[];
  readonly set: RuleSet;
}

function sameTexts(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((text, index) => text === right[index]);
}

const prepare = remember(64, (key: string): RuleSet => {
  const [cwd = '/', ...texts] = key.split('\0');
  return makeRuleSet(texts.map(parseRule), cwd);
});

function makeRuleSet(rules: readonly PermissionRule[], cwd: string): RuleSet {
  const governing = remember(128, (tool: string) => rules.filter((rule) => ruleNames(rule, tool)));
  const specific = remember(128, (tool: string) =>
    governing(tool).filter((rule) => rule.spec !== undefined),
  );
  return {
    rules,
    commands: new CommandRules(specific('Bash')),
    everyCall: (tool) => governing(tool).find((rule) => rule.spec === undefined),
    specific,
    paths: remember(128, (tool: string) =>
      specific(tool).map((rule) => ({ rule, pattern: compilePathPattern(rule.spec ?? '', cwd) })),
    ),
  };
}

const NO_RULES: RuleSet = makeRuleSet([], '/');
