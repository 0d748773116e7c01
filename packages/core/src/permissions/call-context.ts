import { clearPathCaches } from './paths/resolve-path.ts';
import { cwdOf, rootsOf } from './paths/roots.ts';
import type { PermissionLists, PermissionMode } from './permission.ts';
import { type RuleSet, ruleSetOf } from './rule-set.ts';

/** Mode, rules and directories that one decision is made against. */
export interface CallContext {
  readonly mode: PermissionMode;
  readonly cwd: string;
  roots(): readonly string[];
  readonly deny: RuleSet;
  readonly ask: RuleSet;
  readonly allow: RuleSet;
  /** Git always needs approval. */
  readonly gitAsks: boolean;
}

export function contextOf(mode: PermissionMode, lists: PermissionLists): CallContext {
  clearPathCaches();
  const cwd = cwdOf(lists);
  let roots: readonly string[] | undefined;
  return {
    mode,
    cwd,
    roots: () => (roots ??= rootsOf(lists)),
    deny: ruleSetOf(lists.deny, cwd),
    ask: ruleSetOf(lists.ask, cwd),
    allow: ruleSetOf(lists.allow, cwd),
    gitAsks: lists.gitAsks === true,
  };
}
